#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Help of every command, and words that are no command.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Every command, also those that have tests of their own.
for command in ${commands//,/}; do
	"$FOLIOSIM" "$command" --help >out 2>err
	check "$command --help: exit status" test $? = 0
	check "$command --help: its usage" grep -q "^usage: foliosim $command" out
	check "$command --help: names --help" grep -q '^  --help' out
	check "$command --help: stderr" test ! -s err
	check "$command --help: 80 columns" test "$(wc -L <out)" -le 80
	"$FOLIOSIM" help "$command" >out2 2>err
	check "help $command is the same" cmp out out2
	"$FOLIOSIM" "$command" --no-such-option >out 2>err
	check "$command: unknown option" test $? = 2
	check "$command: names the unknown option" grep -q -e --no-such-option err
	"$FOLIOSIM" "$command" --help=yes >out 2>err
	check "$command: --help=yes" test $? = 2
done

"$FOLIOSIM" --help >out 2>err
check "--help: exit status" test $? = 0
check "--help: stderr" test ! -s err
"$FOLIOSIM" help >out2 2>err
check "help is --help" cmp out out2
"$FOLIOSIM" >out2 2>err
check "no command: exit status" test $? = 2
check "no command: usage on stderr" cmp out err
check "no command: nothing on stdout" test ! -s out2
for command in bench compare list machine plan replay tune; do
	case $commands in
	*$command*) ;;
	*) fail "--help does not name $command" ;;
	esac
done
"$FOLIOSIM" --version >out 2>err
check "--version: exit status" test $? = 0
check "--version" grep -qxE 'foliosim [0-9]+\.[0-9]+\.[0-9]+' out

try help list
try help machine
try help plan
try help tune
try no-such-command
try plans
try help no-such-command
try help plan list
try --no-such-option
try ''
finish
