"""Names whose calls do something outside of a program, in a database, a file or a service, or do nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


QUIET = _words(
    """
    abc argparse array ast base64 binascii bisect calendar cmath collections colorsys configparser contextlib
    copy csv dataclasses datetime decimal difflib enum fractions functools gc hashlib heapq hmac html inspect
    io itertools json keyword locale logging math numbers operator pprint random re secrets statistics string
    struct sys textwrap threading time traceback types typing unicodedata uuid warnings zlib zoneinfo
    __future__ os.path os.getcwd os.getenv os.getpid os.listdir os.environ urllib.parse concurrent.futures
    IPython ipykernel bokeh matplotlib plotly pylab seaborn tabulate termcolor tqdm
    dateutil humanize joblib Levenshtein nltk numpy pandas pytz scipy sklearn simplejson six textblob ujson
    vaderSentiment pyarrow pyspark py4j compat
    PIL cloudpickle cv2 gensim keras lightgbm pickle spacy statsmodels tensorflow torch transformers xgboost
    """
)
"""Modules that compute or show something; a picture is shown like a line of text."""
WRITES = _words(
    """
    to_csv to_excel to_feather to_gbq to_hdf to_parquet to_pickle to_sql to_stata savefig write_text
    write_bytes tofile executemany insert_one insert_many replace_one update_one update_many
    """
)
"""Methods that write to something outside, whatever they are called on."""
INSERTS_ALL = {
    "bulk": 1,
    "execute_batch": 2,
    "execute_values": 2,
    "executemany": 1,
    "writelines": 0,
    "writerows": 0,
}
"""Functions and methods that write each item of an argument, by its position, and nothing of an empty one."""
INSERTS_EACH = {name: place for name, place in INSERTS_ALL.items() if not name.startswith("write")}
"""Those of databases, for which the items may as well come in several calls."""
INSERTS_SOME = {**INSERTS_EACH, "bulk_write": 0, "insert_many": 0}
"""The same and those that fail for no items, which are called where there are some."""
SAVES = _words("csv insertInto jdbc json orc parquet save saveAsTable text")
"""Methods of a DataFrame's writer that write."""
EACH = _words("foreach foreachPartition")
"""Methods of an RDD or a DataFrame that hand its elements to a function."""
OPENS = _words(
    """
    autocommit batch batch_writer begin bucket channel client close collection commit connect connection
    count create_connection create_engine cursor database disconnect ehlo exists fetchall fetchmany
    fetchone find find_one flush format from_url get getconn getConnection items keys login loop_start
    loop_stop makefile open ping pipeline poll prepare putconn quit release resource return_connection
    returnConnection rollback select_db session set_character_set set_client_encoding set_isolation_level
    set_keyspace set_session setblocking setsockopt settimeout shutdown socket starttls stop
    switch_database table tls_set topic use_database username_pw_set values writer
    """
)
"""Functions and methods of libraries that make a handle, read by it or close it, and change nothing."""

ASKS = _words(
    """
    count_documents exists find_one get hexists hget hgetall hmget lrange mget sismember smembers zrange zrank
    zscore
    """
)
"""Methods of a client that ask its service something, and leave nothing in either."""
KEEPS_CALLS = _words("BatchStatement batch pipeline")
"""Functions and methods that make a handle which keeps the statements that it gets until it is executed."""
EXECUTES = _words("execute execute_async")
"""Methods that execute a statement, or all that a handle keeps."""
EXECUTES_KEPT = EXECUTES | _words("send")
"""Methods that execute all that a handle keeps where they have no argument: ``batch.send()`` of HBase."""
SAYS = _words("critical debug error exception fatal info log print warn warning")
"""Functions, and methods of loggers, that say something to people."""
TELLS = _words(
    """
    decr emit gauge histogram incr incrby increment lpush produce publish put_metric_data rpush send sendall
    send_message sendmail timing xadd
    """
)
"""Methods that tell others something, which wait for it: they do not keep a value to be read later."""
ACTS = _words("atexit multiprocessing requests signal smtplib socket subprocess sys threading urllib urllib2")
"""Packages of which a call may do anything."""
FILES = _words("codecs io os pathlib shutil")
"""Packages that read and write files."""
_CHANGES_NOTHING = re.compile(r"\s*(use\s|set\s+(?!global\b))", re.IGNORECASE)
_READS = re.compile(r"\s*select\s(?:(?!\binto\b)[^(;])*;?\s*", re.IGNORECASE)


def changes_nothing(statement: ast.expr) -> bool:
    """Whether a statement in SQL or CQL only reads, or is about its connection: ``"USE " + keyspace``."""
    match statement:
        case ast.Constant(str(text)):
            return bool(_CHANGES_NOTHING.match(text) or _READS.fullmatch(text))
        case ast.BinOp(ast.Constant(str(text)), ast.Add() | ast.Mod()):
            return bool(_CHANGES_NOTHING.match(text))
        case ast.JoinedStr([ast.Constant(str(text)), *_]):
            return bool(_CHANGES_NOTHING.match(text))
    return False


def is_quiet(qualified: str) -> bool:
    """Whether a call of an imported name does nothing outside: ``json.dumps``, ``os.path.join``."""
    parts = qualified.split(".")
    return any(".".join(parts[:length]) in QUIET for length in range(1, len(parts) + 1))


def items_of(call: ast.Call, table: Mapping[str, int]) -> ast.expr | None:
    """The argument whose items a call of a function or method in a table writes."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    place = table.get(name)
    if place is None or len(call.args) <= place or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    return call.args[place]
