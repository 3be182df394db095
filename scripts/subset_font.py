"""Makes the font of the plots: a subset of Noto Sans SC with the characters that they use, and no others.

    .venv/bin/python scripts/subset_font.py

Takes the font from a package of a fixed version and hash, which pip downloads into a folder that is removed at the
end, and writes `python/duizhao/data/duizhao-sans.otf`: the same bytes every time. Run it after a change of
`duizhao.trace.fonts.WORDS`. The licence (SIL Open Font License 1.1) lies next to the font.
"""

import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from duizhao.trace.fonts import CHARACTERS, FAMILY, FILE

PACKAGE = "pylopdf-fonts-zh-cn==0.1.1"
PACKAGE_HASH = "e2661ef3790cbe0f0f6aa5338b6859b7cd288ee75bc88cd4239c62cd025d4fb3"
MEMBER = "pylopdf_fonts_zh_cn/NotoSansSC-Regular.otf"
FONT_HASH = "faa6c9df652116dde789d351359f3d7e5d2285a2b2a1f04a2d7244df706d5ea9"
TARGET = Path(__file__).resolve().parents[1] / "python/duizhao/data" / FILE


def original() -> bytes:
    """The font in the package.

    Raises:
        ValueError: it is another one than the one that was chosen.
    """
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "font.txt"
        wanted.write_text(f"{PACKAGE} --hash=sha256:{PACKAGE_HASH}\n", encoding="utf-8")
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps")
        subprocess.run([*pip, "--require-hashes", "--requirement", wanted, "--dest", folder], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            font = archive.read(MEMBER)
    if hashlib.sha256(font).hexdigest() != FONT_HASH:
        raise ValueError(f"{MEMBER} of {PACKAGE} is not the font that was chosen")
    return font


def reduced(font: bytes) -> bytes:
    """The font with the characters of the plots alone, under a name of its own."""
    options = subset.Options()
    options.layout_features = []
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.name_languages = [0x409]
    options.notdef_outline = True
    options.desubroutinize = True
    options.drop_tables += ["BASE", "VORG", "vhea", "vmtx", "GDEF", "GPOS", "GSUB"]
    file = TTFont(io.BytesIO(font), recalcTimestamp=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=CHARACTERS)
    subsetter.subset(file)
    plain = FAMILY.replace(" ", "")
    for number, text in ((1, FAMILY), (3, f"{plain}-Regular"), (4, FAMILY), (6, f"{plain}-Regular")):
        file["name"].setName(text, number, 3, 1, 0x409)
    file["CFF "].cff.fontNames = [f"{plain}-Regular"]
    file["CFF "].cff[0].FullName = FAMILY
    file["CFF "].cff[0].FamilyName = FAMILY
    written = io.BytesIO()
    file.save(written)
    return written.getvalue()


def main() -> int:
    """Write the font; 0."""
    font = reduced(original())
    TARGET.write_bytes(font)
    print(f"{TARGET.name}: {len(CHARACTERS)} characters, {len(font):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
