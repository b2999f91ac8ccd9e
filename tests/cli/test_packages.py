"""Packages: what make deb, make rpm and make install put on a machine runs there, and goes away again."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from cli import TOP, check, done, make

WORK = pathlib.Path(tempfile.mkdtemp())
BUILD = os.environ.get("BUILD", "build").removesuffix("/asan")
AS_ROOT = [] if os.getuid() == 0 else ["unshare", "-r"]
VERSION = re.search(r"^VERSION := (\S+)", (TOP / "Makefile").read_text(), re.M)[1]
EXPECTED = {"usr/bin/ascend-faq", "usr/share/bash-completion/completions/ascend-faq", "usr/share/zsh/site-functions/_ascend-faq",
            "usr/share/fish/vendor_completions.d/ascend-faq.fish", "usr/share/doc/ascend-faq/README.md"}


def sh(*command, **keywords):
    return subprocess.run(command, capture_output=True, text=True, check=False, **keywords)


def files(folder):
    return {str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if path.is_file() or path.is_symlink()}


def runs(program, name):
    r = sh(str(program), "--lang", "en", "show", "1.6")
    check(r.returncode == 0 and "HCCL_NPU_SOCKET_PORT_RANGE" in r.stdout, f"{name}: the program runs", r.stdout + r.stderr)
    check(VERSION in sh(str(program), "version").stdout, f"{name}: it is this version")


# --- make install --------------------------------------------------------------------------------------------------
root = WORK / "installed"
r = make(f"DESTDIR={root}", "prefix=/usr", "install")
check(r.returncode == 0, "make install", r.stderr)
there = files(root)
check(EXPECTED | {"usr/share/man/man1/ascend-faq.1", "usr/share/man/man5/ascend-faq-pack.5"} <= there, "everything is put in place", there)
runs(root / "usr/bin/ascend-faq", "installed")
for page in ("man1/ascend-faq.1", "man5/ascend-faq-pack.5"):
    r = sh("man", "--warnings", "-l", str(root / "usr/share/man" / page), env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
    check(r.returncode == 0 and not r.stderr, f"{page} has no warnings", r.stderr)
    check("@" + "PACK@" not in r.stdout and "probes.yaml" in r.stdout or page.startswith("man1"), f"{page} has its generated parts")
r = make(f"DESTDIR={root}", "prefix=/usr", "uninstall")
check(r.returncode == 0 and not files(root), "make uninstall leaves nothing", files(root))

# --- .deb ----------------------------------------------------------------------------------------------------------
machine = os.uname().machine
r = make(f"deb-{machine}")
check(r.returncode == 0, "make deb", (r.stdout + r.stderr)[-1500:])
package = TOP / BUILD / "deb" / f"ascend-faq_{VERSION}_{'amd64' if machine == 'x86_64' else 'arm64'}.deb"
first = package.read_bytes()
r = sh("dpkg-deb", "--field", str(package))
check("Package: ascend-faq" in r.stdout and "Depends" not in r.stdout, "it depends on nothing", r.stdout)
root = WORK / "debian"
for folder in ("var/lib/dpkg/updates", "var/lib/dpkg/info"):
    (root / folder).mkdir(parents=True)
(root / "var/lib/dpkg/status").write_text("")
dpkg = [*AS_ROOT, "dpkg", f"--root={root}", "--force-not-root", "--force-bad-path", "--log=/dev/null"]
r = sh(*dpkg, "--install", str(package))
check(r.returncode == 0, "it is installed", r.stdout + r.stderr)
check(EXPECTED | {"usr/share/man/man1/ascend-faq.1.gz", "usr/share/man/man5/ascend-faq-pack.5.gz",
                  "usr/share/doc/ascend-faq/copyright"} <= files(root), "everything is in place", files(root))
runs(root / "usr/bin/ascend-faq", "deb")
r = sh(*dpkg, "--purge", "ascend-faq")
left = {path for path in files(root) if path.startswith("usr/")}
check(r.returncode == 0 and not left, "it is removed again", (left, r.stderr))
make(f"deb-{machine}")
check(package.read_bytes() == first, "built twice it is the same file")

# --- RPM -----------------------------------------------------------------------------------------------------------
r = make("rpm")
check(r.returncode == 0, "make rpm", (r.stdout + r.stderr)[-1500:])
packages = [path for path in (TOP / BUILD / "rpm/RPMS").rglob("*.rpm")]
check(len(packages) == 1 and f"ascend-faq-{VERSION}-1" in packages[0].name, "one package", packages)
root = WORK / "rpm"
root.mkdir()
rpm = [*AS_ROOT, "rpm", "--root", str(root), "--nodeps"]
r = sh(*rpm, "--install", str(packages[0]))
check(r.returncode == 0 and EXPECTED <= files(root), "it is installed", r.stderr)
runs(root / "usr/bin/ascend-faq", "rpm")
r = sh(*rpm, "--erase", "ascend-faq")
left = {path for path in files(root) if path.startswith("usr/")}
check(r.returncode == 0 and not left, "it is removed again", (left, r.stderr))
shutil.rmtree(WORK)
done()
