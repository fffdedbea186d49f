"""Runs every notebook here as a reader would, without writing it: an error of a cell is an error of this program."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

folder = Path(__file__).resolve().parent
for path in sorted(folder.glob("*.ipynb")):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    print(f"{path.name}: {cells} cells ran")
