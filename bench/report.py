"""The tables of a run, as Markdown."""

import os
import platform
import statistics


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) / 1024 ** 2
    return (f"{len(names) or os.cpu_count()} × {names[0] if names else platform.machine()}, "
            f"{memory:.0f} GiB, Linux {'.'.join(platform.release().split('.')[:2])}")


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def time(value):
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def text(measured, facts):
    lines = [
        "",
        f"{facts['date']}, {machine()}; {facts['devices']:,} devices; medians of "
        f"{facts['rounds']} runs of {facts['seconds']} s, wrk on the same machine.",
        "",
        "| Request | bytes | requests/s | p50, p99 ms | one client: p50, p99 ms | the same from memory | CPU µs "
        "| in-process, 1 and 2 threads | from memory | of in-process | of in-process, 1 thread | of from memory |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for kind, run in measured.items():
        lines.append(
            f"| {kind} | {run['bytes']:,.0f} | **{number(run['rate'])}** "
            f"| {time(run['p50'])}, {time(run['p99'])} "
            f"| {time(run['p50_one'])}, {time(run['p99_one'])} "
            f"| {time(run['p50_memory'])}, {time(run['p99_memory'])} "
            f"| {number(run['cpu'])} | {number(run['floor_1'])}, {number(run['floor_2'])} | {number(run['memory'])} "
            f"| {run['rate'] / run['floor_2']:.2f} | {run['rate'] / run['floor_1']:.2f} "
            f"| {run['rate'] / run['memory']:.2f} |")
    resident, highest = facts["after"]
    lines += [
        "",
        f"Resident memory after the run {resident:.0f} MB, at its highest {highest:.0f} MB; after the "
        f"start {facts['at_start'][0]:.0f} MB, at its highest {facts['at_start'][1]:.0f} MB. "
        f"Ready {facts['ready']:.2f} s after the start; the index loads in {facts['load']:.2f} s. "
        f"numberMatched agrees with SQL in {facts['checked']} lists.",
    ]
    return "\n".join(lines)


def writes(measured):
    """The table of devices added, by number of simultaneous clients."""
    lines = [
        "",
        "| Devices added by | a second | p50, p99 ms | CPU µs | in-process, as many rows a commit "
        "| of in-process |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for clients, run in measured.items():
        lines.append(
            f"| {clients} client{'s' if clients > 1 else ''} | **{number(run['rate'])}** "
            f"| {time(run['p50'])}, {time(run['p99'])} | {number(run['cpu'])} "
            f"| {number(run['bare'])} | {run['rate'] / run['bare']:.2f} |")
    return "\n".join(lines)


def exports(measured, at_start):
    """The table of exports of all devices, by format."""
    lines = [
        "",
        "| All devices as | devices | bytes each | devices/s | CPU µs each | stepped in-process, no output "
        "| of in-process | memory at its highest |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for format, run in measured.items():
        lines.append(
            f"| {format} | {run['devices']:,} | {run['bytes']:,.0f} | **{number(run['rate'])}** "
            f"| {number(run['cpu'])} | {number(run['floor'])} | {run['rate'] / run['floor']:.2f} "
            f"| {run['memory']:.0f} MB |")
    return "\n".join(lines + ["", f"Memory after the start, at its highest: {at_start:.0f} MB."])


def ratio(pairs, key):
    """The median of the ratios of neighbouring turns: the second engine to the first."""
    return statistics.median(after[key] / before[key] for before, after in pairs if before[key])


def middle(pairs, engine, key):
    return statistics.median(pair[engine][key] for pair in pairs)


def engines(measured, starts, memory):
    """The table of reads on SQLite and PostgreSQL."""
    lines = [
        "",
        "| Request | SQLite requests/s | PostgreSQL requests/s | ratio | CPU µs on SQLite | CPU µs on PostgreSQL: Farol "
        "| database |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for kind, pairs in measured.items():
        lines.append(
            f"| {kind} | {number(middle(pairs, 0, 'rate'))} | {number(middle(pairs, 1, 'rate'))} "
            f"| **{ratio(pairs, 'rate'):.2f}** | {number(middle(pairs, 0, 'farol'))} "
            f"| {number(middle(pairs, 1, 'farol'))} | {number(middle(pairs, 1, 'database'))} |")
    return "\n".join(lines + [
        "",
        f"Ready {starts[0]:.1f} s after the start on SQLite and {starts[1]:.1f} s on PostgreSQL; "
        f"{memory[0]:.0f} and {memory[1]:.0f} MB resident at the end."])


def trips(found, each_second):
    """The table of round trips to PostgreSQL."""
    lines = ["", "| Request | round trips |", "|---|--:|"]
    lines += [f"| {kind} | {count:.1f} |" for kind, count in found.items()]
    return "\n".join(lines + ["", f"Without requests a server makes {each_second:.1f} round trips a second."])


def engine_writes(measured):
    """The table of devices added on SQLite and PostgreSQL."""
    lines = [
        "",
        "| Devices added by | SQLite a second | PostgreSQL a second | ratio | p50 ms | CPU µs on SQLite "
        "| CPU µs on PostgreSQL: Farol | database |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for clients, pairs in measured.items():
        lines.append(
            f"| {clients} client{'s' if clients > 1 else ''} | {number(middle(pairs, 0, 'rate'))} "
            f"| {number(middle(pairs, 1, 'rate'))} | **{ratio(pairs, 'rate'):.2f}** "
            f"| {time(middle(pairs, 0, 'p50'))}, {time(middle(pairs, 1, 'p50'))} | {number(middle(pairs, 0, 'farol'))} "
            f"| {number(middle(pairs, 1, 'farol'))} | {number(middle(pairs, 1, 'database'))} |")
    return "\n".join(lines)


def servers(found):
    """The table of one, two and three servers on one database."""
    idle = found.pop("idle")
    lines = [
        "",
        "| Request | servers | requests/s | CPU µs of a request: servers | database | share of the database |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for (count, kind), run in sorted(found.items(), key=lambda item: (item[0][1], item[0][0])):
        lines.append(
            f"| {kind} | {count} | {number(run['rate'])} | {number(run['farol'])} | {number(run['database'])} "
            f"| {run['database'] / (run['farol'] + run['database']):.0%} |")
    return "\n".join(lines + [
        "",
        f"Without requests a server uses {idle[0]:.1f} ms of processor time in a second, and the database "
        f"{idle[1]:.1f} ms for it."])
