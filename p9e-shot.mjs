import { chromium } from "playwright-core";
import { createServer } from "node:http";
import { readFileSync, existsSync, statSync } from "node:fs";
const S="/tmp/w/p9e-site";
const T={html:"text/html; charset=utf-8",js:"text/javascript",css:"text/css",woff2:"font/woff2",svg:"image/svg+xml",json:"application/json"};
const srv=createServer((q,r)=>{let p=S+decodeURIComponent(new URL(q.url,"http://x").pathname); if(existsSync(p)&&statSync(p).isDirectory())p+="/index.html"; if(!existsSync(p)){r.writeHead(404);return r.end()} r.writeHead(200,{"content-type":T[p.split(".").pop()]??"text/plain"}); r.end(readFileSync(p));}).listen(0);
await new Promise(r=>srv.once("listening",r));
const base="http://127.0.0.1:"+srv.address().port+"/";
const b=await chromium.launch({executablePath:"/usr/bin/chromium",args:["--no-sandbox","--disable-gpu"]});
for (const [name,w,h,dark] of [["desktop",1280,900,false],["phone",390,844,true]]) {
  const c=await b.newContext({viewport:{width:w,height:h},colorScheme:dark?"dark":"light"});
  const p=await c.newPage(); p.on("console",m=>{if(m.type()=="error")console.log(name,m.text())});
  for (const a of process.argv.slice(2)) {
    await p.goto(base+a,{timeout:120000}); await p.waitForTimeout(300);
    const over=await p.evaluate(()=>document.documentElement.scrollWidth-document.documentElement.clientWidth);
    const n=a.replace(/\W+/g,"_");
    await p.screenshot({path:`/tmp/w/p9e-x/${n}_${name}.png`,fullPage:true,timeout:120000});
    console.log(name,a,"over",over);
  }
}
await b.close(); srv.close();
