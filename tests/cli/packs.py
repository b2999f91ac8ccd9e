"""Packs for the tests: written into a folder."""
import pathlib

ENTRY = """\
id: "{id}"
title: {{zh: 站点, en: {title}}}
problem: {{zh: 问题, en: problem}}
origin: site
source: the site
errors: ["{sample}"]
not-errors: [all is well]
signatures: [{{match: "{sample}", strength: certain}}]
solutions:
  - steps:
      - {{say: {{zh: 看, en: look}}, run: "{run}", effect: read}}
"""
PACK = "name: site\ntitle: {zh: 站点, en: site}\nversion: '1'\nsections:\n  - {id: rack, number: R, title: {en: Rack}}\n"


def entry(**changes):
    return ENTRY.format(**{"id": "R.1", "title": "of the site", "sample": "rack 17 has no power", "run": "ls", **changes})


def pack(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(folder)


def lines(text):
    return text.splitlines()
