// The theme puts the button that copies a block of code into a `nav`; a page has dozens, and they are no landmarks.

function mend(root) {
  for (const nav of root.querySelectorAll(".md-code__nav")) nav.setAttribute("role", "none");
}

mend(document);
new MutationObserver((changes) => {
  for (const { target } of changes) mend(target);
}).observe(document.body, { childList: true, subtree: true });
