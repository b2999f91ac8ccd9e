#!/usr/bin/env python3
"""`export`: the whole pack as Markdown, as JSON, and as one page that works in a browser."""
import html
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

from cli import HOME, check, done, document, run

entries = [entry for section in document("list")[0]["sections"] for entry in section["entries"]]
ids = [entry["id"] for entry in entries]
whole, status = document("export")
check(status == 0 and [entry["id"] for entry in whole["entries"]] == ids, "JSON has every entry, in order")
check(any(code["code"] == "EI0020" for code in whole["codes"]), "JSON has the codes")

for language in ("zh", "en"):
    markdown = run("export", "--lang", language)
    check(markdown.status == 0 and markdown.err == "", f"{language}: Markdown is written")
    headings = re.findall(r"(?m)^### (\S+)", markdown.out)
    check(headings == ids, f"{language}: a heading for every entry")
    anchors = set(re.findall(r'<a id="([^"]+)">', markdown.out))
    links = set(re.findall(r"\]\(#([^)]+)\)", markdown.out))
    check(links <= anchors, f"{language}: every link leads somewhere", links - anchors)
    fences = re.findall(r"(?m)^ *(`{3,})", markdown.out)
    check(len(fences) % 2 == 0, f"{language}: every block is closed")
    lost = [step["run"] for entry in whole["entries"] for solution in entry["solutions"] for step in solution["steps"]
            if "run" in step and step["run"].rstrip("\n").replace("\n", "\n    ") not in re.sub(r"(?m)^ +$", "", markdown.out)]
    check(not lost, f"{language}: every command is there as it is", lost[:2])
check("问题描述" in run("export", "--lang", "zh").out, "Markdown speaks Chinese")

page = run("export", "--format", "html", "--lang", "en").out


class Balance(html.parser.HTMLParser):
    """Says which elements are not closed in order, and what the page would fetch."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.fetches, self.ids, self.links = [], [], [], set(), set()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)
        self.fetches += [attributes[key] for key in ("src", "srcset", "data") if key in attributes] + (["link"] if tag == "link" else [])
        if "id" in attributes:
            self.faults += [f"id {attributes['id']} twice"] if attributes["id"] in self.ids else []
            self.ids.add(attributes["id"])
        if attributes.get("href", "").startswith("#"):
            self.links.add(attributes["href"][1:])

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


balance = Balance()
balance.feed(page)
check(not balance.faults and not balance.open, "HTML: every element is closed in order", balance.faults[:3])
check(not balance.fetches, "HTML: the page fetches nothing", balance.fetches)
check(balance.links <= balance.ids, "HTML: every link leads somewhere", balance.links - balance.ids)
check({f"e{i}" for i in ids} <= balance.ids, "HTML: every entry has an anchor")

hostile = pathlib.Path(tempfile.mkdtemp(dir=HOME))
(hostile / "pack.yaml").write_text('name: site\ntitle: {en: "<script>1</script>"}\nversion: "1"\n', encoding="utf-8")
(hostile / "site").mkdir()
(hostile / "site" / "9.1.yaml").write_text(
    'id: "9.1"\nkind: reference\ntitle: {en: "</title><script>alert(1)</script>"}\nproblem: {en: "`*_<img src=x>"}\n'
    'origin: site\nsource: "\\" onclick=\\"x"\nsolutions:\n  - steps:\n      - say: {en: a}\n        link: "javascript:alert(1)"\n',
    encoding="utf-8")
bad = run("export", "--format", "html", "--pack", str(hostile)).out
check("<script>alert" not in bad and "<img" not in bad and 'href="javascript' not in bad and '" onclick="' not in bad
      and html.escape("</title><script>alert(1)</script>") in bad, "HTML: what a pack says is text and nothing else")
check(r"\`\*\_\<img src=x>" in run("export", "--pack", str(hostile)).out, "Markdown: likewise")
check(run("export", "--format", "pdf").status == 2, "an unknown format is refused")

browser = shutil.which("chromium") or shutil.which("chromium-browser") or "chromium"
PROBE = """<script>
const shown = node => getComputedStyle(node).display !== "none";
const heading = language => document.querySelector(`h1 [lang=${language}]`);
const input = document.querySelector("#search input"), say = [];
const look = () => [...document.querySelectorAll("article")].filter(shown).map(node => node.id);
say.push(["first", shown(heading("en")), shown(heading("zh"))]);
document.querySelector("label[for=lang-zh]").click();
say.push(["switched", shown(heading("en")), shown(heading("zh"))]);
for (const words of ["EI0020 bind", "ＥＩ００２０", "端口 占用", "no such words at all", ""]) {
  input.value = words; input.dispatchEvent(new Event("input"));
  say.push([words, look()]);
}
const result = document.createElement("script"); result.type = "application/json"; result.id = "result";
result.textContent = JSON.stringify(say); document.body.append(result);
</script></body>"""


def dump(text, query=""):
    with tempfile.NamedTemporaryFile("w", suffix=".html", dir=HOME, encoding="utf-8") as file:
        file.write(text)
        file.flush()
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={HOME}/browser",
                   "--dump-dom", f"file://{file.name}{query}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout


tested = dump(page.replace("</body>", PROBE))
found = re.search(r'id="result">(.*?)</script>', tested, re.S)
results = dict((name, rest) for name, *rest in json.loads(found[1])) if found else {}
check(results.get("first") == [True, False], "browser: the page opens in the language of --lang", tested[-300:])
check(results.get("switched") == [False, True], "browser: a click switches the language")
check("e1.6" in (results.get("EI0020 bind") or [[]])[0] and len(results["EI0020 bind"][0]) < len(ids), "browser: the search finds by code")
check("e1.6" in (results.get("ＥＩ００２０") or [[]])[0], "browser: full-width letters find the same")
check("e1.6" in (results.get("端口 占用") or [[]])[0], "browser: Chinese words find")
check(results.get("no such words at all") == [[]], "browser: what is nowhere is not found")
check(results.get("") == [[f"e{i}" for i in ids]], "browser: without words all is shown")
linked = dump(page, query="#q=561103")
check(re.search(r'<article id="e3.4"(?![^>]*hidden)', linked) and re.search(r'<article id="e1.1"[^>]*hidden', linked),
      "browser: #q= opens on a search")
plain = dump(page.replace("<head>", """<head><meta http-equiv="Content-Security-Policy" content="script-src 'none'">"""))
check('<p id="search" hidden' in plain and not re.search(r"<article[^>]*hidden", plain), "browser: without a script all is readable")
done()
