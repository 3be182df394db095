"""What an audit found, in the XML form that CI systems read.

* `document`: one test case a claim, a policy and a kind of conduct.
"""

import xml.etree.ElementTree as ET

from duizhao.audit.run import Report


def _case(suite: ET.Element, group: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", {"classname": f"duizhao.audit.{group}", "name": name})


def _failure(case: ET.Element, message: str, text: str = "") -> None:
    ET.SubElement(case, "failure", {"message": _plain(message)}).text = _plain(text or message)


def _plain(text: str) -> str:
    """Return a text without the characters that XML does not have."""
    return "".join(character for character in text if character.isprintable() or character in "\n\t")


def document(report: Report) -> str:
    """Return the report as an XML document."""
    suite = ET.Element("testsuite", {"name": f"duizhao audit {report.subject}"})
    properties = ET.SubElement(suite, "properties")
    ET.SubElement(properties, "property", {"name": "seed", "value": str(report.seed)})
    for outcome in report.outcomes:
        case = _case(suite, "claims", outcome.check.name)
        if outcome.failure is not None:
            _failure(case, outcome.failure.sentence, outcome.failure.snippet or "")
        elif outcome.stopped is not None:
            _failure(case, f"stopped: {outcome.stopped}")
        elif not outcome.asked:
            ET.SubElement(case, "skipped", {"message": "the subject does not take what the claim needs"})
    for policy in report.policies:
        case = _case(suite, "policies", policy.name)
        if not policy.ok:
            snippets = [wrong.snippet or "" for _, wrong in policy.wrong()]
            _failure(case, policy.sentence(), "\n".join(snippets).strip())
    for kind in ("raises", "hangs", "shape", "dtype", "mutates", "prints"):
        case = _case(suite, "conduct", kind)
        if kind in report.conduct:
            _failure(case, report.conduct[kind].sentence)
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))
    suite.set("time", f"{report.seconds:.3f}")
    ET.indent(suite)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(suite, encoding="unicode")}\n'
