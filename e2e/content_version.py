"""Content versions in a folder for `inlay preview`, made by the tests."""

import json
import shutil
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "Server/Sources/inlay/Resources/harbor"
DAY = 86_400_000_000


class ContentVersion:
    """A content version of one hub. Files are written at once; the index is written by `write`."""

    def __init__(self, folder: Path, title="Harbor", summary=None):
        self.folder = folder
        self.index = {
            "format": 1,
            "source": "test",
            "version": 1,
            "publishedAt": 0,
            "hubs": [{"id": "main", "title": title, "summary": summary, "tags": [], "channels": []}],
            "channels": [],
            "articles": [],
            "notifications": [],
        }

    def file(self, path: str, content: str | bytes) -> str:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def picture(self, name: str) -> str:
        path = f"assets/{name}.svg"
        (self.folder / "assets").mkdir(parents=True, exist_ok=True)
        shutil.copy(PICTURES / f"{name}.svg", self.folder / path)
        return path

    def channel(self, identity: str, title: str, summary=None) -> None:
        self.index["channels"].append(
            {"id": identity, "title": title, "summary": summary, "tags": [], "articles": []}
        )
        self.index["hubs"][0]["channels"].append(identity)

    def article(self, identity: str, body: str, channel=None, title=None, picture=None, scripts=False, **more) -> None:
        """Adds an article whose page is `body`, a whole document or a part of one."""
        page = self.file(f"articles/{identity}/index.html", body)
        self.index["articles"].append(
            {
                "id": identity,
                "title": title or identity.replace("-", " ").capitalize(),
                "tags": [],
                "publishedAt": int(time.time() * 1e6) - DAY * (1 + len(self.index["articles"]) * 3),
                "page": page,
                "image": picture and self.picture(picture),
                "allowsScripts": scripts,
                "files": [],
                "revision": 1,
                **more,
            }
        )
        channel = channel or self.index["channels"][0]["id"]
        next(c for c in self.index["channels"] if c["id"] == channel)["articles"].append(identity)

    def write(self) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "index.json").write_text(json.dumps(self.index))
        return self.folder


def document(body: str, head="") -> str:
    return f"<!DOCTYPE html><html lang=en><head><title>x</title>{head}</head><body>{body}</body></html>"
