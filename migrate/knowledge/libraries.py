"""Libraries whose functions and objects compute from what they are given, and do nothing else that shows."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from migrate.knowledge.producers import CLIENTS
from migrate.knowledge.table import read_table

COMPUTING = frozenset(
    {"Levenshtein", "afinn", "bs4", "contractions", "cv2", "dateutil", "emoji", "geohash", "geopy"}
    | {"haversine", "jieba", "joblib", "lightgbm", "nltk", "numpy", "pygeohash", "pytz", "scipy", "shapely"}
    | {"sklearn", "snownlp", "stop_words", "textblob", "unidecode", "xgboost", "xmltodict"}
    | {"orjson", "rapidjson", "simplejson", "ujson", "vaderSentiment"}
)
INSTALLED = (
    COMPUTING
    | CLIENTS
    | {"boto", "boto3", "cassandra", "elasticsearch", "flask", "happybase", "pandas", "pymongo", "redis"}
    | {"requests", "tweepy"}
)
"""Libraries that a program finds installed; a folder of scripts that use them often has the same name."""
_MLLIB = {
    "classification": "LogisticRegressionModel NaiveBayesModel SVMModel",
    "clustering": "KMeansModel",
    "feature": "HashingTF",
    "linalg": "DenseVector SparseVector Vectors",
    "regression": "LabeledPoint LassoModel LinearRegressionModel RidgeRegressionModel",
}
"""Classes of Spark's MLlib that compute in Python, by their modules; others ask the JVM."""
_CLASSES = frozenset(
    f"pyspark.mllib.{part}.{name}" for part, names in _MLLIB.items() for name in names.split()
)
_ALONE = frozenset(
    {"ast.literal_eval", "pickle.load", "pickle.loads", "struct.unpack"}
    | {"preprocessor.clean", "preprocessor.tokenize"}
    | {f"gensim.utils.{name}" for name in ("deaccent", "simple_preprocess", "simple_tokenize", "tokenize")}
    | _CLASSES
    | {f"{name}.load" for name in _CLASSES if name.endswith("Model")}
    | {f"pyspark.mllib.linalg.Vectors.{name}" for name in ("dense", "sparse", "zeros")}
)
"""Functions and classes beside those of these libraries."""
_ACTING = frozenset(
    {"download", "dump", "geocoders", "random", "save", "savetxt"}
    | {"VideoCapture", "VideoWriter", "imshow", "imwrite", "namedWindow", "waitKey"}
)
"""Parts of the names of what does more, or gives something else each time."""
TRAINING = frozenset({"fit", "fit_transform", "learn", "partial_fit", "set_params", "train", "update"})
"""Methods that change what an object of them gives later."""


def computes(qualified: str) -> bool:
    """Whether a function or class of a library only computes: ``textblob.TextBlob``."""
    parts = qualified.split(".")
    return qualified in _ALONE or (parts[0] in COMPUTING and not _ACTING.intersection(parts))


class Value(enum.Enum):
    """The values that a library gives, of Python's own types."""

    FLOAT = "float"
    INT = "int"
    TEXT = "text"
    TEXTS = "texts"
    """A list of texts."""
    EACH = "each"
    """Texts, one after the other."""
    JSON = "json"
    """What ``json.loads`` returns."""
    SCORES = "scores"
    """The dict of VADER: a float for each of ``neg``, ``neu``, ``pos`` and ``compound``."""


@dataclass(frozen=True)
class Given:
    """One row of the table."""

    called: bool
    """Whether it is a function or method, and no attribute."""
    gives: Value


RESULTS = read_table(
    """
name                                                                       called gives
Levenshtein.distance                                                       yes    int
Levenshtein.ratio                                                          yes    float
afinn.Afinn.score                                                          yes    float
bs4.BeautifulSoup.get_text                                                 yes    text
bs4.BeautifulSoup.text                                                     -      text
contractions.fix                                                           yes    text
emoji.demojize                                                             yes    text
emoji.emojize                                                              yes    text
emoji.replace_emoji                                                        yes    text
gensim.utils.deaccent                                                      yes    text
gensim.utils.simple_preprocess                                             yes    texts
gensim.utils.simple_tokenize                                               yes    each
gensim.utils.tokenize                                                      yes    each
geohash.encode                                                             yes    text
haversine.haversine                                                        yes    float
jieba.cut                                                                  yes    each
jieba.cut_for_search                                                       yes    each
jieba.lcut                                                                 yes    texts
jieba.lcut_for_search                                                      yes    texts
nltk.PorterStemmer.stem                                                    yes    text
nltk.RegexpTokenizer.tokenize                                              yes    texts
nltk.SnowballStemmer.stem                                                  yes    text
nltk.TreebankWordTokenizer.tokenize                                        yes    texts
nltk.TweetTokenizer.tokenize                                               yes    texts
nltk.WhitespaceTokenizer.tokenize                                          yes    texts
nltk.WordNetLemmatizer.lemmatize                                           yes    text
nltk.WordPunctTokenizer.tokenize                                           yes    texts
nltk.corpus.stopwords.words                                                yes    texts
nltk.sent_tokenize                                                         yes    texts
nltk.sentiment.SentimentIntensityAnalyzer.polarity_scores                  yes    scores
nltk.sentiment.vader.SentimentIntensityAnalyzer.polarity_scores            yes    scores
nltk.stem.PorterStemmer.stem                                               yes    text
nltk.stem.SnowballStemmer.stem                                             yes    text
nltk.stem.WordNetLemmatizer.lemmatize                                      yes    text
nltk.stem.porter.PorterStemmer.stem                                        yes    text
nltk.stem.snowball.SnowballStemmer.stem                                    yes    text
nltk.stem.wordnet.WordNetLemmatizer.lemmatize                              yes    text
nltk.tokenize.RegexpTokenizer.tokenize                                     yes    texts
nltk.tokenize.TreebankWordTokenizer.tokenize                               yes    texts
nltk.tokenize.TweetTokenizer.tokenize                                      yes    texts
nltk.tokenize.WhitespaceTokenizer.tokenize                                 yes    texts
nltk.tokenize.WordPunctTokenizer.tokenize                                  yes    texts
nltk.tokenize.casual.TweetTokenizer.tokenize                               yes    texts
nltk.tokenize.regexp.RegexpTokenizer.tokenize                              yes    texts
nltk.tokenize.sent_tokenize                                                yes    texts
nltk.tokenize.word_tokenize                                                yes    texts
nltk.tokenize.wordpunct_tokenize                                           yes    texts
nltk.word_tokenize                                                         yes    texts
nltk.wordpunct_tokenize                                                    yes    texts
orjson.loads                                                               yes    json
preprocessor.clean                                                         yes    text
preprocessor.tokenize                                                      yes    text
pygeohash.encode                                                           yes    text
rapidjson.dumps                                                            yes    text
rapidjson.loads                                                            yes    json
simplejson.dumps                                                           yes    text
simplejson.loads                                                           yes    json
snownlp.SnowNLP.sentiments                                                 -      float
snownlp.SnowNLP.words                                                      -      texts
stop_words.get_stop_words                                                  yes    texts
textblob.TextBlob.polarity                                                 -      float
textblob.TextBlob.sentiment.polarity                                       -      float
textblob.TextBlob.sentiment.subjectivity                                   -      float
textblob.TextBlob.subjectivity                                             -      float
ujson.dumps                                                                yes    text
ujson.loads                                                                yes    json
unidecode.unidecode                                                        yes    text
vaderSentiment.vaderSentiment.SentimentIntensityAnalyzer.polarity_scores   yes    scores
""",
    Given,
)
"""The table: what they give by a name, of which the type is always the same. A class gives its objects."""
JSON_READERS = {"json.loads", *(name for name, given in RESULTS.items() if given.gives is Value.JSON)}
"""Functions that give a new value of JSON at each call."""
LEADING = frozenset(
    ".".join(name.split(".")[:depth]) for name in RESULTS for depth in range(1, name.count(".") + 1)
)
"""The names before a dot in these."""
