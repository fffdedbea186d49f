"""Names in code spans are those of the sources."""

import re
import subprocess

from pages import ROOT, pages, short, without_code


def names():
    """Types, functions and constants that the book names in code spans exist in the sources."""
    wrong, checked = [], 0
    kinds = ["*.rs", "*.h", "*.hpp", "*.json", "*CMakeLists.txt", "python/fourbar/*.py"]
    files = subprocess.run(["git", "ls-files", *kinds], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True)
    sources = [ROOT / name for name in files.stdout.split()]
    known = {path.stem for path in sources}.union(*(re.findall(r"\w+", path.read_text()) for path in sources))
    # Variants of enums are words in files: SteadyState is steady_state.
    known |= {re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower() for word in known}
    for path in pages():
        if path.name == "CHANGELOG.md":  # It names what is gone as well.
            continue
        for name in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", without_code(path.read_text())):
            if not re.fullmatch(r"[A-Za-z_]\w*(::\w+)*", name):
                continue
            if "::" in name or re.fullmatch(r"[A-Z]\w*[a-z]\w*|FOURBAR_\w+|fourbar_\w+|\w+_\w+", name):
                checked += 1
                for part in name.split("::"):
                    # Parts of a name, as `_step` behind `fourbar_simulation_`, are looked for at the ends of names.
                    if part not in known and not (part.startswith("_") or part.endswith("_")):
                        wrong.append(f"{short(path)}: `{name}` is not in the sources")
    print(f"{checked} names")
    return wrong
