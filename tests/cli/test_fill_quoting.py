"""What bash and sh read is the value and nothing else.

A pack with one entry, whose commands hold a placeholder in every place of a command that a shell reads in its own
way, is filled with hundreds of hostile values by `ascend-faq fill`; bash and dash run what it prints, and each
command prints the value that it got.
"""
import concurrent.futures
import os
import pathlib
import random
import subprocess
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = TOP / os.environ.get("BUILD", "build") / "ascend-faq"
SHELLS = ("bash", "dash")
RANDOM_VALUES = 300

# name, command, what it prints for a value; must: whether every value can be put there.
PRINT = "printf '%s\\0' "


def same(value):
    return [value]


PLACES = [
    ("bare", PRINT + "<VALUE>", same, True),
    ("in a word", PRINT + "a<VALUE>b", lambda v: [b"a" + v + b"b"], True),
    ("assigned", "X=<VALUE>; " + PRINT + '"$X"', same, True),
    ("in PATH", "export P=<VALUE>/bin:$Q; " + PRINT + '"$P"', lambda v: [v + b"/bin:"], True),
    ("in double quotes", PRINT + '"<VALUE>"', same, True),
    ("in double quotes, in text", PRINT + '"x <VALUE> y"', lambda v: [b"x " + v + b" y"], True),
    ("in single quotes", PRINT + "'<VALUE>'", same, True),
    ("in single quotes, in text", PRINT + "'x <VALUE> y'", lambda v: [b"x " + v + b" y"], True),
    ("between quotes", PRINT + "'a'<VALUE>\"b\"", lambda v: [b"a" + v + b"b"], True),
    ("in $( )", PRINT + '"$(printf %s. <VALUE>)"', lambda v: [v + b"."], True),
    ("in $( ), quoted", PRINT + '"$(printf %s. "<VALUE>")"', lambda v: [v + b"."], True),
    ("in $( ) twice", PRINT + '"$(printf %s. "$(printf %s. \'<VALUE>\')")"', lambda v: [v + b".."], True),
    ("in a subshell", "( " + PRINT + "<VALUE> )", same, True),
    ("in a loop", "for x in <VALUE> second; do " + PRINT + '"$x"; done', lambda v: [v, b"second"], True),
    ("as a pattern", "case <VALUE> in <VALUE>) printf 'yes\\0';; *) printf 'no\\0';; esac", lambda v: [b"yes"], True),
    ("after a comment", "# it's \" a comment\n" + PRINT + "<VALUE>", same, True),
    ("after an escape", PRINT + "\\'<VALUE>\\\"", lambda v: [b"'" + v + b'"'], True),
    ("after a here-document", "cat <<E >/dev/null\nit's \"\nE\n" + PRINT + "<VALUE>", same, True),
    ("on a continued line", PRINT + "\\\n<VALUE>", same, True),
    ("in a here-document", "cat <<END\n[<VALUE>]\nEND\nprintf '\\0'", lambda v: [b"[" + v + b"]\n"], False),
    ("in a literal here-document", "cat <<'END'\n[<VALUE>]\nEND\nprintf '\\0'", lambda v: [b"[" + v + b"]\n"], False),
    ("in a tabbed here-document", "cat <<-END\n\t[<VALUE>]\n\tEND\nprintf '\\0'", lambda v: [b"[" + v + b"]\n"], False),
    ("alone in a here-document", "cat <<END\n<VALUE>\nEND\nprintf '\\0'", lambda v: [v + b"\n"], False),
    ("in a comment", "printf 'c\\0' # <VALUE>", lambda v: [b"c"], False),
    ("in backquotes", PRINT + '"`printf %s. <VALUE>`"', lambda v: [v + b"."], False),
    ("in ${ }", PRINT + '"${UNSET_HERE:-<VALUE>}"', same, False),
    ("in $(( ))", PRINT + '"$((<VALUE>))"', same, False),
]

# Before these, a value that begins with - would be an option; a path gets ./ in front.
WORD_BEGINS = {"bare", "in double quotes", "in single quotes", "in $( )", "in $( ), quoted", "in $( ) twice", "in a subshell",
               "in a loop", "assigned", "in PATH", "after a comment", "after a here-document", "on a continued line"}
ASSIGNS = {"assigned", "in PATH"}  # X=… has begun the word

FIXED = [
    b"/usr/local/Ascend/cann-9.1.0", b"23456", b"a b", b"  lead and trail  ", b"it's", b"'", b"''", b'"', b'""', b"'\"'\"'",
    b"\\", b"\\\\", b"a\\", b"\\'", b'\\"', b"\\n", b"$", b"$$", b"$HOME", b"${HOME}", b"$(touch canary)", b"`touch canary`",
    b"$((1+1))", b"$'a'", b'$"a"', b"a$", b";touch canary", b"&touch canary&", b"|touch canary", b"\ntouch canary\n", b"a\nb",
    b"\n", b"a\n", b"\n\n", b">canary", b"2>canary", b"<canary", b"<<END", b"END", b"]\nEND\ntouch canary\n", b"E", b"-", b"-n", b"-e", b"--",
    b"--help", b"-rf /", b"!", b"!!", b"a!b", b"!touch", b"^a^b", b"~", b"~root", b"~/x", b"a:~root", b"=~", b"*", b"?", b"[a-z]", b"/*", b"{a,b}",
    b"{1..3}", b"a,b", b"#", b"#x", b"a#b", b"(", b")", b"()", b"{", b"}", b"[", b"]", b"[[", b"if", b"then", b"done", b"esac", b"in", b"time",
    b"A=1", b"=", b"%1", b"%s", b"%d%n", b"@", b"+x", b"a\tb", b"\t", b"\r", b"a\r\nb", b"\x1b[31m", b"\x1b[201~touch canary\r", b"\x03", b"\x04", b"\x7f",
    b"\x01\x02", b"\x08", b"\xff", b"\xff\xfe", b"\x80\x81\x82\x83\x84\x85\x86\x87\x88", b"\xc3", b"\xe4\xb8", "端口 占用".encode(), "é".encode(),
    "\u0085\u009b".encode(), "\u202e".encode(), "😀".encode(), b"<VALUE>", b"<OTHER>", b"${VALUE}", b"'$(touch canary)'", b"\"$(touch canary)\"",
    b"'\n#'\n;touch canary", b"*)touch canary;;", b"x)touch canary;;esac", b"}touch canary", b"\\$(touch canary)", b"\\`touch canary\\`", b"0x10", b"1;2", b"a" * 5000,
]
PIECES = [b"'", b'"', b"\\", b"$", b"`", b"(", b")", b"{", b"}", b"[", b"]", b"!", b"~", b"*", b"?", b"#", b";", b"&", b"|", b"<", b">", b" ", b"\n", b"\t", b"-", b"=",
          b"^", b"%", b"@", b"+", b",", b".", b"/", b":", b"a", b"0", b"$(", b"END", b"\x1b", b"\xff", b"\xe5", "卡".encode(), b"\r", b"\x81", b"touch canary", b"$1", b"\\\n"]

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}" + (f": {why}" if not good and why else ""), flush=True)


def write_pack(folder):
    (folder / "runtime").mkdir(parents=True)
    (folder / "pack.yaml").write_text("name: quoting\ntitle: {zh: 引用, en: quoting}\nversion: '1'\n")
    (folder / "placeholders.yaml").write_text("- {name: VALUE, meaning: {zh: 值, en: value}, kind: path}\n")
    lines = ["id: '3.999'", "title: {zh: 引用, en: quoting}", "problem: {zh: 引用, en: quoting}", "kind: reference", "origin: site", "source: here",
             "solutions:", "  - title: {zh: 引用, en: quoting}", "    steps:"]
    for number, (name, command, _, _) in enumerate(PLACES):
        lines += [f"      - say: {{zh: '{number}', en: '{number}'}}", "        effect: read", "        run: |"]
        lines += ["          " + line for line in (f"printf 'step {number}\\0'\n" + command).split("\n")]
    (folder / "runtime" / "3.999.yaml").write_text("\n".join(lines) + "\n")


def fill(pack, home, value):
    environment = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8"}
    return subprocess.run([PROGRAM, "--pack", pack, "--lang", "en", "--set", b"VALUE=" + value, "fill", "3.999"],
                          env=environment, stdin=subprocess.DEVNULL, capture_output=True)


def wanted(name, value, expect):
    if value.startswith(b"-") and name in WORD_BEGINS - ASSIGNS:
        value = b"./" + value
    return expect(value)


def run(shell, script, folder):
    """The records that each step printed."""
    result = subprocess.run([shell], input=script, cwd=folder, capture_output=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})
    steps, current = {}, None
    for record in result.stdout.split(b"\0")[:-1]:
        if record.startswith(b"step ") and record[5:].isdigit():
            current = steps.setdefault(int(record[5:]), [])
        else:
            current.append(record)
    return steps, result.stderr


def values():
    source = random.Random(20000)
    yield from FIXED
    for _ in range(RANDOM_VALUES):
        yield b"".join(source.choice(PIECES) for _ in range(source.randint(1, 12)))


def try_value(pack, top, value):
    """(answer of fill, {shell: (steps, errors, what was made)})."""
    with tempfile.TemporaryDirectory(dir=top) as empty:
        answer = fill(pack, empty, value)
        results = {}
        for shell in SHELLS:
            steps, errors = run(shell, answer.stdout, empty)
            results[shell] = steps, errors, os.listdir(empty)
            for made in os.listdir(empty):
                os.unlink(os.path.join(empty, made))
    return answer, results


def main():
    faults = {(shell, name): "" for shell in SHELLS for name, *_ in PLACES}
    noise, canary, crashed, filled = "", "", "", {name: 0 for name, *_ in PLACES}
    tried = list(values())
    with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pack = pathlib.Path(top, "pack")
        write_pack(pack)
        for value, (answer, results) in zip(tried, pool.map(lambda v: try_value(pack, top, v), tried)):
            if answer.returncode not in (0, 1):
                crashed = crashed or f"{value!r}: {answer.returncode} {answer.stderr!r}"
            for shell, (steps, errors, made) in results.items():
                if errors:
                    noise = noise or f"{shell}: {value!r}: {errors!r}"
                if made:
                    canary = canary or f"{shell}: {value!r} made {made}"
                for number, (name, _, expect, must) in enumerate(PLACES):
                    filled[name] += number in steps
                    if (must or number in steps) and steps.get(number) != wanted(name, value, expect):
                        faults[shell, name] = faults[shell, name] or f"{value!r} became {steps.get(number)!r}"
    for (shell, name), why in faults.items():
        check(not why, f"{shell}: {name}", why)
    for name, *_ in PLACES:
        check(filled[name] > 0, f"some values go in {name}")
    check(not noise, "the shells have nothing to complain of", noise)
    check(not canary, "no value did anything", canary)
    check(not crashed, "every value is taken", crashed)
    print(f"1..{count}")


main()
