import { readFileSync } from "node:fs";

/** What `media-catalogue --help` prints. */
export const MAIN_HELP = `Usage: media-catalogue COMMAND [OPTION...]

  contract [PATH...]  judges recorded exchanges by the description of the service
  record              records exchanges of a deployment
  sandbox             serves an offline catalogue that answers from recordings

  -h, --help          print this, or after a command its options
  -v, --version       print the version

Exits with 0 if everything is as described, 1 if something is not, 2 if the command line is wrong or an input
cannot be read, 3 if too little could be judged to tell.`;

/** What `media-catalogue contract --help` prints. */
export const CONTRACT_HELP = `Usage: media-catalogue contract [PATH...] [OPTION...]

Judges recorded exchanges by the description of the service. PATH is a recording (.json), a HAR 1.2 of a browser or
a proxy, a folder of them, or - for the standard input. Of a HAR, what is not of the service is skipped and counted.

  --operation ID        each PATH is the bare body of this operation's answer, such as movies.lists
  --status STATUS       what it was answered with (default: 200)
  --base-url URL        where the service is called; other entries of a HAR are skipped (default: any host, path /3/)
  --host HOST           the same, by host alone
  --origin ORIGIN       repository: what nobody described fails, too; foreign: it warns (default: repository below
                        test/recordings, else foreign)
  --coverage            the passing recordings of origin repository have to cover the description
  --mutate              also damages every recording in every way, to prove that each damage is found
  --live                calls a deployment and judges its answers at once; see media-catalogue record --help

  --format FORMAT       pretty, json, junit, sarif, github, markdown or html (default: pretty)
  --format FORMAT=FILE  writes that format to a file; repeatable
  --output FILE         writes to FILE instead of the standard output

  -h, --help            print this
  -v, --version         print the version

Exits with 0 if everything is as described, 1 if something is not, 2 if the command line is wrong or an input
cannot be read (the others are judged all the same), 3 if nothing could be judged.`;

/** What `media-catalogue sandbox --help` prints. */
export const SANDBOX_HELP = `Usage: media-catalogue sandbox [--port PORT] [--host HOST]

Serves an offline catalogue that answers every described operation from recordings. Any bearer token will do.

  --port PORT    0 to 65535; 0 picks a free port (default: 4010)
  --host HOST    address to listen on (default: 127.0.0.1, which only this machine reaches)
  -h, --help     print this
  -v, --version  print the version`;

/** The version of the package. */
export function readVersion(): string {
  const file = new URL("../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
