#!/usr/bin/env bash
# Makes the recordings again. On Debian 12 it needs: apt-get install -y --no-install-recommends php-cli php-mbstring
# php-intl golang-go ruby default-jdk-headless libjackson2-databind-java libgoogle-gson-java libjson-perl libjson-xs-perl
# nginx libnginx-mod-http-lua lua-cjson jq sqlite3 curl python3-brotli python3-orjson python3-ujson python3-yaml. The tests read only the recordings.
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-/usr/bin/python3}
"$python" sent.py > ../sent.jsonl
php Php.php > ../php.jsonl
GO111MODULE=off go run Go.go > ../go.jsonl
ruby Ruby.rb > ../ruby.jsonl
jars=$(printf '/usr/share/java/%s.jar:' jackson-databind jackson-core jackson-annotations gson)
java -cp "$jars" Java.java > ../java.jsonl
# The seed makes the order of hashes the same each time.
PERL_HASH_SEED=1 PERL_PERTURB_KEYS=0 perl Perl.pl > ../perl.jsonl
"$python" Python.py > ../python.jsonl
node node.mjs > ../node.jsonl
bash shell.sh > ../shell.jsonl
bash nginx.sh > ../nginx.jsonl
"$python" tools.py > ../tools.jsonl
"$python" invented.py > ../invented.jsonl
