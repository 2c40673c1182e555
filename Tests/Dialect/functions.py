"""Compares the functions of functions.sql with those of SQLite."""

import sqlite3

# Both engines must give the same value for each. `date('…')` is a cast in PostgreSQL, so texts of days have a type.
EXPRESSIONS = (
    "date(CAST('2026-11-26' AS TEXT))", "date(CAST('2026-11-26T08:30:00Z' AS TEXT))", "date(CAST('2026-11' AS TEXT))",
    "date(CAST('' AS TEXT))", "date(NULL)", "date(CAST('2026-13-01' AS TEXT))", "date('2026-11-26', '-7 days')",
    "date('2024-03-01', '-1 days')", "date('2026-01-31', '+335 days')",
    "strftime('%Y-%m-%dT%H:%M:%SZ', '2026-11-26T08:30:00Z')", "strftime('%Y-%m-%dT%H:%M:%SZ', '2026-11-26')",
    "strftime('%Y-%m-%dT%H:%M:%SZ', 'tomorrow')", "strftime('%Y-%m-%dT%H:%M:%fZ', '2026-11-26 08:30:00.125')",
    "strftime('%Y-%m-%dT%H:%M:%SZ', '2026-11-26T08:30:00Z', '+30 days')", "julianday('2026-11-26')",
    "julianday('2026-11-26T12:00:00Z')", "min(2, 3)", "max(2, 3)", "min(2, NULL)", "max(2.5, 3)", "min('b', 'a')",
    "max('é', 'z')", "mod(7, 3)", "mod(-7, 3)", "mod(7.5, 2)", "mod(7, -3)", "instr('a device', 'dev')",
    "instr('device', 'x')", "instr('é1', '1')", "substr('é device', 3, instr('device', 'c'))",
    "printf('%.7f', 1.5)", "printf('%.7f', -9.13945671)",
    "printf('%09d', 42)", "printf('%09d', 1234567890)", "json_valid('[1]')", "json_valid('[1')",
    "json_quote('a \"b\" ''c'' é')", "json_quote(NULL)", "json_type('{\"a\":[1]}', '$.a')",
    "json_type('{\"a\":1}', '$.a')", "json_type('{\"a\":1.5}', '$.a')", "json_type('{\"a\":\"x\"}', '$.a')",
    "json_type('{\"a\":true}', '$.a')", "json_type('{\"a\":null}', '$.a')", "json_type('{}', '$.a')",
    "json_type(NULL, '$.a')", "json_extract('{\"a\":\"x\"}', '$.a')", "json_extract('{\"0\":\"x\"}', '$.\"0\"')",
    "json_extract('[\"x\",\"y\"]', '$[1]')", "json_extract('{\"a\":{\"b\":\"x\"}}', '$.a.b')",
    "json_extract('{\"a\":[\"x\"]}', '$.a[0]')", "json_extract('{\"a\":[1,2]}', '$.a')", "json_extract('{}', '$.a')",
    "json_extract('{\"a\":null}', '$.a')", "json_array_length('[1,2]')", "json_array_length('[]')",
    "json_array_length('{}')", "(SELECT json_group_array(value) FROM json_each('[\"b\",\"a \\\"q\\\"\",\"é\"]'))",
    "(SELECT json_group_array(key) FROM json_each('{\"x\":1,\"y\":null}'))",
    "(SELECT json_group_array(value) FROM json_each('[]'))",
    "(SELECT json_group_array(json_extract(value, '$.id')) FROM json_each('{\"a\":[{\"id\":\"p\"}]}', '$.a'))",
    "glob('a*', 'abc')", "glob('a*', 'ABC')", "glob('a?c', 'abc')", "glob('a[*]c', 'abc')", "glob('a[*]c', 'a*c')",
    "glob('[?]', '?')", "glob('[[]x', '[x')", "glob('a.c', 'abc')", "glob('*(1)*', 'x (1) y')",
    "glob('a\\b', 'a\\b')", "glob('*', '')", "glob('*', NULL)", "glob('x*y', 'x' || char(10) || 'y')",
    "glob('ã?', 'ãé')", "length(randomblob(16))", "rtrim(rtrim('1.5000', '0'), '.')",
)
# The program gives these functions to SQLite, so this list gives the expected values.
GIVEN = (
    ("casefold('Straße')", "strasse"), ("casefold('CÂMARA')", "câmara"), ("casefold('Σς')", "σσ"),
    ("casefold(NULL)", None),
    ("farol_plus(1e300, 1e300)", None), ("farol_plus(1, NULL)", None), ("farol_plus(0.1, 0.2)", 0.1 + 0.2),
    ("farol_times(1e200, -1e200)", None), ("farol_times(1e-200, 1e-200)", 0), ("farol_times(5e-324, 5e-324)", 0),
    ("farol_divided(1, 0)", None), ("farol_divided(1e300, 1e-10)", None), ("farol_divided(1e-300, 1e10)", 0),
    ("farol_divided(1, 3)", 1 / 3), ("farol_remainder(-7, 3)", -1), ("farol_remainder(7.5, 2)", 1.5),
    ("farol_remainder(1, 0)", None), ("farol_power(10, 400)", None), ("farol_power(10, -400)", 0),
    ("farol_power(-8, 0.5)", None), ("farol_power(0, -1)", None), ("farol_power(0, 0)", 1), ("farol_power(-2, 3)", -8),
    ("farol_power('Infinity', 1)", None), ("farol_plus('NaN', 1)", None), ("farol_power(2, 'NaN')", None),
    ("farol_divided(1, 'Infinity')", None),
    ("array_to_string(farol_words('Câmara-ÇA ß 2º (x)'), ' ')", "camara ca ß 2º x"), ("farol_words('—')", []),
    ("CAST(farol_query('São Pa') AS text)", "'sao' & 'pa':*"), ("farol_query('?')", None),
    ("search_text(NULL)", ""), ("search_text('câmara')", "câmara"), ("search_text('監視')", " 監  視 "),
)


def value(found):
    return int(found) if isinstance(found, bool) else float(found) if hasattr(found, "as_tuple") else found


def differing(cursor):
    """Sentences about the functions whose values differ."""
    with sqlite3.connect(":memory:") as lite:
        wanted = [(each, lite.execute(f"SELECT {each}").fetchone()[0]) for each in EXPRESSIONS]
    for expression, expected in [*wanted, *GIVEN]:
        # The only word that PostgreSQL cannot define as a function.
        cursor.execute("SELECT " + expression.replace(" char(", " chr("))
        found = value(cursor.fetchone()[0])
        if found != expected:
            yield f"{expression} is {expected!r} in SQLite, {found!r} in PostgreSQL"
