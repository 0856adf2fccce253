"""Spark's connectors for Kafka: those of DStreams, which are gone, and the one that a query needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.knowledge.spark_version import SparkVersion

NEWEST = {"3.5": "3.5.7", "4.0": "4.0.0", "4.1": "4.1.1", "4.2": "4.2.0", "4.3": "4.2.0"}
"""For each release the newest connector that is known to run on it: 4.3 has none of its own yet."""
OF_KAFKA = ("spark-streaming-kafka", "spark-sql-kafka")
"""What the names of all connectors begin with."""
OF_DSTREAMS = "spark-streaming-"
"""What the names of connectors of DStreams for all sources begin with."""
_KAFKA = (
    r"org\.apache\.spark:spark-(?:streaming|sql)-kafka(?:-0-(?:8|10))?(?:-assembly)?(?:_2\.\d+)?:\d[\w.-]*"
)
_LISTED = re.compile(rf"{_KAFKA}(?:,{_KAFKA})*")
_JAR = re.compile(r"<?[^\s,\"'=<>]*spark-streaming-kafka[^\s,\"'=<>]*\.jar>?")
_GOES_ON = r"[ \t]*\\\r?\n[ \t#]*"
"""The end of a line of a command that goes on in the next one."""
_OPTION = re.compile(rf"--(jars|packages)({_GOES_ON}|[ =]+)(\S+)")
_LINES = re.compile(r"(?<!\\)\n")
"""Ends of lines, at which no command goes on in the next one."""
JARS, PACKAGES = "--jars", "--packages"
JAR_SETTING, PACKAGE_SETTING = "spark.jars", "spark.jars.packages"
NAMED = re.compile(r"spark-streaming-kafka(-0-8|-0-10)?(-assembly)?(_|-(?=[\d*${<]|assembly)|\.jar)")
"""A connector of DStreams, wherever it is named; no page ``spark-streaming-kafka-in-python``."""


def coordinate(spark: SparkVersion) -> str:
    """The connector that a query on a version of Spark needs, for ``--packages``."""
    newest = NEWEST.get(".".join(map(str, spark.release)), spark.text)
    asked = tuple(map(int, spark.text.split(".")))
    known = tuple(map(int, newest.split(".")))
    version = spark.text if len(asked) == len(known) and asked <= known else newest
    return f"org.apache.spark:spark-sql-kafka-0-10_{spark.scala}:{version}"


def renewed(text: str, package: str) -> str:
    """A text with a query's connector in the place of those that it names.

    >>> renewed("--jars a.jar,spark-streaming-kafka-0-8-assembly_2.11-2.4.3.jar pyspark-shell", "new")
    '--packages new --jars a.jar pyspark-shell'

    Args:
        text: arguments of ``spark-submit``, a list of packages, or any other text.
        package: the connector, as `coordinate` gives it.
    """
    if "kafka" not in text:
        return text
    if _JAR.search(text) and _OPTION.search(text):
        text = "\n".join(_without_jars(line, package) for line in _LINES.split(text))
    text = _LISTED.sub(package, text)
    if text.count(package) < 2:
        return text
    again = re.compile(rf"({re.escape(package)}(?:,[^\s,]+)*?),{re.escape(package)}(?![\w.-])")
    return again.sub(r"\1", text)


def _without_jars(text: str, package: str) -> str:
    """Arguments of ``spark-submit`` whose jars of a connector are a package."""
    options = {match[1]: match for match in _OPTION.finditer(text)}
    jars = options.get("jars")
    if jars is None or not _JAR.search(jars[3]):
        return text
    left = [jar for jar in jars[3].split(",") if not _JAR.fullmatch(jar)]
    packages = options.get("packages")
    added = f"--packages{jars[2]}{package}"
    parts = [
        *([] if packages is not None else [added]),
        *([f"--jars{jars[2]}{','.join(left)}"] if left else []),
    ]
    if packages is not None:
        text = text.replace(packages[0], f"{packages[0]},{package}")
        if not parts:
            return text.replace(f"{jars[0]} ", "").replace(f" {jars[0]}", "")
    return text.replace(jars[0], " ".join(parts))


_LISTED_JARS = re.compile(
    r"""(?P<quote>["'])jars(?P=quote)[ \t]*:[ \t]*\[[ \t]*["'](?P<jar>[^"'\],]+)["'][ \t]*\]"""
)
"""``"jars": ["a.jar"]`` of a job for Livy."""
_BESIDE = re.compile(
    r"(?P<verb>\b(?:copy|download|put|place|add|get)\s(?:the\s)?)(?P<jar>[\w./*-]*spark-streaming-kafka[\w./*-]*\.jar)\s(?:and|&)\s",
    re.IGNORECASE,
)
"""``Copy spark-streaming-kafka.jar and job.py``, of which the program is left."""
_NEEDED = re.compile(
    r"(?P<verb>\b(?:needs?|requires?|using|uses?|with)\s(?:the\s)?|用到\s?|需要\s?|使用\s?)(?P<jar>[A-Za-z0-9._-]*spark-streaming-kafka[A-Za-z0-9._-]*\.jar)\b",
    re.IGNORECASE,
)
"""``this needs spark-streaming-kafka.jar``."""


def renewed_in_prose(text: str, package: str) -> str:
    """A docstring or comment with a query's connector in the place of the jar that it tells of.

    >>> renewed_in_prose("1. Copy lib/spark-streaming-kafka-0-8.jar and a.py to bin.", "new")
    '1. Copy a.py to bin.'
    >>> renewed_in_prose("It needs spark-streaming-kafka-0-8.jar.", "new")
    'It needs new.'
    """
    if "spark-streaming-kafka" not in text:
        return text
    text = _LISTED_JARS.sub(lambda found: _as_setting(found, package), text)
    text = _BESIDE.sub(lambda found: found["verb"], text)
    return _NEEDED.sub(lambda found: found["verb"] + package, text)


def _as_setting(found: re.Match[str], package: str) -> str:
    """The setting of a job that has the package fetched, for the list of its only jar, the connector."""
    quote = found["quote"]
    setting = f"{quote}conf{quote}: {{{quote}{PACKAGE_SETTING}{quote}: {quote}{package}{quote}}}"
    return setting if is_jar(found["jar"]) else found[0]


def is_jar(text: str) -> bool:
    """Whether a text is the path of such a connector, and nothing else."""
    return _JAR.fullmatch(text) is not None


def of_messages(text: str) -> list[str]:
    """The packages in a text that are connectors of DStreams for Kafka.

    >>> of_messages("--packages a:b_2.12:1,org.apache.spark:spark-streaming-kafka-0-8_2.11:2.3.1")
    ['org.apache.spark:spark-streaming-kafka-0-8_2.11:2.3.1']
    """
    return [package for package in re.findall(_KAFKA, text) if NAMED.search(package)]


def others_of_queries(text: str, spark: SparkVersion) -> list[str]:
    """The packages in a text that are a query's connector, but one of another Spark or Scala.

    >>> others_of_queries("--packages org.apache.spark:spark-sql-kafka-0-10_2.11:2.2.0", SparkVersion("4.0"))
    ['org.apache.spark:spark-sql-kafka-0-10_2.11:2.2.0']
    """
    if "spark-sql-kafka" not in text:
        return []
    releases = {spark.release, SparkVersion.parse(coordinate(spark).rpartition(":")[2]).release}
    fitting = tuple(f"_{spark.scala}:{'.'.join(map(str, one))}." for one in releases)
    named = (package for package in re.findall(_KAFKA, text) if not NAMED.search(package))
    return [package for package in named if not any(one in f"{package}." for one in fitting)]


def renewed_of_queries(text: str, spark: SparkVersion) -> str:
    """A text whose connectors of queries are those of a version of Spark."""
    for package in others_of_queries(text, spark):
        text = text.replace(package, coordinate(spark))
    return text


_OPTION_OR_NAME = re.compile(
    r"(?:--jars[ =]+)?(?<![%\w./:*${}-])[\w./:*${}-]*spark-streaming-kafka[\w./:*-]*"
)
"""The options of a command that name it; in an address of the web it stands behind ``%22``."""
_ARTIFACT = re.compile(r"org\.apache\.spark|_2\.\d|\.jar\b")
"""What a connector's own name has, and an article about it has not."""
_PAGE = re.compile(r"https?://[^\s\"'`<>,)]*(?<!\.jar)(?=[\s\"'`<>,)]|$)")
"""A page about a connector, which no command fetches as a jar."""


def changes_in_command(text: str, spark: SparkVersion) -> Iterator[tuple[str, str]]:
    """What a command or a setting names of connectors for Kafka, with the words for what goes there.

    >>> dict(changes_in_command("--jars lib/spark-streaming-kafka.jar a.py", SparkVersion("4.0")))
    {'--jars lib/spark-streaming-kafka.jar': '`--packages org.apache.spark:spark-sql-kafka-0-10_2.13:4.0.0`'}
    """
    package = coordinate(spark)
    text = _PAGE.sub("", text)
    connector = _OPTION_OR_NAME.search(text) if NAMED.search(text) else None
    if connector is not None and _ARTIFACT.search(connector[0]):
        is_jar = connector[0].startswith(JARS)
        # a jar in a list of others has no place for a package
        instead = "left out, with `{} {}`" if connector[0].endswith(".jar") and not is_jar else "`{1}`"
        others = next((one[3] for one in _OPTION.finditer(text) if one[1] == "packages"), "")
        if is_jar and others:  # of two such options Spark takes the last one
            yield connector[0], f"left out, with `{PACKAGES} {others},{package}`"
        else:
            yield connector[0], (f"`{PACKAGES} {package}`" if is_jar else instead.format(PACKAGES, package))
    yield from ((old, f"`{package}`") for old in others_of_queries(text, spark))


_OF_RECEIVER = r"[^\s,\"'`\\]*spark-streaming-{}[\w-]+[^\s,\"'`\\]*"
_NO_KAFKA = "(?!kafka)"
_OPTIONS_OF_RECEIVERS = {
    kafka: re.compile(rf"--(?:jars|packages)(?:{_GOES_ON}|[ =])[ \t]*{one}(?:,{one})*({_GOES_ON}|[ \t]+)")
    for kafka, one in ((False, _OF_RECEIVER.format(_NO_KAFKA)), (True, _OF_RECEIVER.format("")))
}
"""Options that name connectors of DStreams alone, those for Kafka among them if that."""
_PACKAGE = r"[\w.-]+:[\w.-]+:[\w.-]+"
_LIST = re.compile(rf"(?<![\w.:,-]){_PACKAGE}(?:,{_PACKAGE})+")
"""Several packages, as ``--packages`` and ``spark.jars.packages`` take them."""
_OF_RECEIVERS = re.compile(r"org\.apache\.(?:spark|bahir):spark-streaming-(?!kafka)[\w-]+_2\.\d+:[\w.-]+")
_RECEIVER = rf"(?:{_OF_RECEIVERS.pattern}|[^\s,\"'`=]*spark-streaming-(?!kafka)[\w.-]+\.jar)"
_IN_COMMAND = re.compile(rf"--(?:jars|packages)[ =]+{_RECEIVER}(?:,{_RECEIVER})*(?![^\s\"'`])|{_RECEIVER}")


def of_receivers(text: str) -> list[str]:
    """The packages in a text that are connectors of DStreams, but for Kafka: Flume's, MQTT's, Kinesis's."""
    return _OF_RECEIVERS.findall(text)


def may_name_receivers(text: str) -> bool:
    """Whether a text has what all connectors of DStreams begin with."""
    return OF_DSTREAMS in text


def without_receivers(text: str, *, kafka: bool = False) -> tuple[tuple[str, str], ...]:
    r"""The options of ``spark-submit`` that name nothing but such connectors, with what is left there.

    In lists with other packages it is the connectors alone.

    Args:
        text: arguments of ``spark-submit``, or a text with a command.
        kafka: whether connectors of DStreams for Kafka are meant, too.

    >>> without_receivers("spark-submit --packages org.apache.spark:spark-streaming-flume_2.11:2.2.0 job.py")
    (('--packages org.apache.spark:spark-streaming-flume_2.11:2.2.0 ', ''),)
    >>> without_receivers("submit --jars \\\n  external/spark-streaming-mqtt-assembly.jar \\\n  job.py")
    (('--jars \\\n  external/spark-streaming-mqtt-assembly.jar \\\n  ', '\\\n  '),)
    >>> without_receivers("submit \\\n  --packages org.apache.bahir:spark-streaming-mqtt_2.11:2 \\\n  job.py")
    (('--packages org.apache.bahir:spark-streaming-mqtt_2.11:2 \\\n  ', ''),)
    >>> without_receivers("submit --packages a.b:c:1,org.apache.bahir:spark-streaming-mqtt_2.11:2 job.py")
    ((',org.apache.bahir:spark-streaming-mqtt_2.11:2', ''),)
    """
    if not may_name_receivers(text):
        return ()
    found = []
    for one in _OPTIONS_OF_RECEIVERS[kafka].finditer(text):
        before = text[: one.start()].rpartition("\n")[2].strip(" \t#")
        found.append((one[0], one[1].lstrip(" \t") if "\n" in one[1] and before else ""))
    return (
        *found,
        *((run, "") for one in _LIST.finditer(text) for run in _runs_in_list(one[0], kafka=kafka)),
    )


def _runs_in_list(packages: str, *, kafka: bool) -> Iterator[str]:
    """The connectors of DStreams in a list that has other packages, too, each with a comma.

    >>> [*_runs_in_list("org.apache.bahir:spark-streaming-mqtt_2.11:2,a:b:1", kafka=False)]
    ['org.apache.bahir:spark-streaming-mqtt_2.11:2,']
    """
    gone = [*of_receivers(packages), *(of_messages(packages) if kafka else ())]
    listed = packages.split(",")
    if all(package in gone for package in listed):
        return
    leads = True
    for package in listed:
        leads = leads and package in gone
        if package in gone:
            yield f"{package}," if leads else f",{package}"


def receivers_in_command(text: str) -> list[str]:
    """What a command names of such connectors: the whole option if it names nothing else.

    >>> receivers_in_command("--packages org.apache.bahir:spark-streaming-mqtt_2.11:2.4.0 job.py")
    ['--packages org.apache.bahir:spark-streaming-mqtt_2.11:2.4.0']
    >>> receivers_in_command("--jars a.jar,lib/spark-streaming-flume-assembly_2.11-2.4.8.jar job.py")
    ['lib/spark-streaming-flume-assembly_2.11-2.4.8.jar']
    """
    return [one[0] for one in _IN_COMMAND.finditer(text)]


def is_of_receivers(text: str) -> bool:
    """Whether a text lists such packages, and no others."""
    return bool(text) and all(_OF_RECEIVERS.fullmatch(package.strip()) for package in text.split(","))


def other_scala(text: str, spark: SparkVersion) -> list[str]:
    """The packages in a text that are for another version of Scala."""
    named = re.finditer(r"[\w.-]+:[\w.-]+:[\w.-]+", text)
    scalas = ((match[0], re.search(r"_(2\.\d+)(?=:|$)", match[0])) for match in named)
    return [package for package, scala in scalas if scala is not None and scala[1] != spark.scala]
