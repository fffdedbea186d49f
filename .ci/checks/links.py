"""Links and anchors resolve, pages stand in the summary, and what comments of the code cite exists."""

import re

from pages import DOCS, ROOT, pages, short, without_code


def anchors(text):
    """The identifiers that mdBook and GitHub give to headings."""
    found = {}
    for line in without_code(text).split("\n"):
        heading = re.match(r"#{1,6}\s+(.*)", line)
        if not heading:
            continue
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).replace("`", "")
        name = "".join(c for c in title.strip().lower().replace(" ", "-") if c.isalnum() or c in "-_")
        count = found.get(name, 0)
        found[name] = count + 1
        if count:
            found[f"{name}-{count}"] = 1
    own = re.findall(r'<a (?:id|name)="([^"]+)"', text)
    return set(found) | set(own)


def links():
    wrong, checked = [], 0
    known = {path.resolve(): anchors(path.read_text()) for path in pages()}
    for path in pages():
        prose = re.sub(r"`[^`\n]*`", "", without_code(path.read_text()))
        for line_number, line in enumerate(prose.split("\n"), 1):
            for target in re.findall(r"\]\(([^)\s]+)\)", line):
                if "://" in target or target.startswith("mailto:"):
                    continue
                name, _, anchor = target.partition("#")
                file = (path.parent / name).resolve() if name else path.resolve()
                checked += 1
                if not file.exists():
                    wrong.append(f"{short(path)}:{line_number}: {target} does not exist")
                elif anchor and file in known and anchor not in known[file]:
                    wrong.append(f"{short(path)}:{line_number}: no heading for #{anchor} in {short(file)}")
    listed = set(re.findall(r"\]\(([^)]+\.md)\)", (DOCS / "SUMMARY.md").read_text()))
    for path in DOCS.rglob("*.md"):
        name = str(path.relative_to(DOCS))
        if name != "SUMMARY.md" and name not in listed:
            wrong.append(f"docs/{name} does not stand in docs/SUMMARY.md")
    wrong += cited()
    print(f"{checked} links of {len(known)} pages")
    return wrong


def cited():
    """Requirements, pages and sections that comments of the code cite exist."""
    wrong = []
    integrators = set(re.findall(r"^## (\d+)\.", (DOCS / "theory/integrators.md").read_text(), re.M))
    listed = set(re.findall(r"^\|\s*(R\d+)\s*\|", (DOCS / "requirements.md").read_text(), re.M))
    for folder in ["app", "capi", "contact", "coupling", "dae", "expression", "hydraulics", "linalg", "lti", "multibody", "src", "tests"]:
        for path in (ROOT / folder).rglob("*.rs"):
            for line_number, line in enumerate(path.read_text().split("\n"), 1):
                if not re.match(r"\s*//", line):
                    continue
                for number in re.findall(r"\b(R\d{1,2})\b", line):
                    if number not in listed:
                        wrong.append(f"{short(path)}:{line_number}: {number} does not stand in docs/requirements.md")
                for page in re.findall(r"[\w/-]+\.md\b", line):
                    if not any(place.exists() for place in (ROOT / page, path.parent / page, DOCS / page, DOCS / "theory" / page)):
                        wrong.append(f"{short(path)}:{line_number}: {page} does not exist")
                for section in re.findall(r"integrators\.md,? sections? (\d+)", line):
                    if section not in integrators:
                        wrong.append(f"{short(path)}:{line_number}: docs/theory/integrators.md has no section {section}")
    return wrong
