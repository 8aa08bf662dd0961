import { testsOf } from './endpoint-tests.ts';
import { type Endpoint, listEndpoints } from './endpoints.ts';
import { listSections, type SpecificationSection } from './sections.ts';
import { listSettings, type MappedSetting } from './settings.ts';
import { filesIn, folderOf, read } from './sources.ts';

export const DOCUMENT = 'docs/map.md';

/** Everything below this line is generated; everything above it is written by hand. */
const MADE = '<!-- Made by `npm run map` from here on. -->';

const NONE = '–';

const code = (text: string) => `\`${text}\``;
const listed = (texts: readonly string[]) => (texts.length === 0 ? NONE : texts.map(code).join(', '));
const table = (head: string, rows: readonly string[]) =>
  [`| ${head} |`, `|${head.replaceAll(/[^|]+/g, '---')}|`, ...rows].join('\n');

/** The anchor that forges generate for a heading. */
const anchor = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');

const named = ({ method, path }: Endpoint) => `${method} ${path}`;
const linked = (endpoint: Endpoint) => `[${code(named(endpoint))}](api.md#${anchor(named(endpoint))})`;

const stem = (path: string) => path.slice(folderOf(path).length + 1).replace(/\.ts$/, '');

/** The suites of a use case: in the test folder of its topic, with the same name. */
const ownTests = (file: string): readonly string[] => {
  const tests = filesIn('test/core').filter((path) => folderOf(path) === `test/${folderOf(file)}`);
  return tests.filter((path) => path.endsWith('.test.ts') && stem(path).startsWith(stem(file)));
};

const withoutSuffix = (path: string) => path.replace(/^test\//, '').replace(/\.test\.ts$/, '');

const endpointRow = (endpoint: Endpoint, tests: readonly string[]) => {
  const files = [...new Set(endpoint.useCases.map(({ file }) => file))];
  const all = [...files.flatMap(ownTests), ...tests];
  const cells = [
    linked(endpoint),
    code(endpoint.route.replace(/^servers\//, '')),
    listed(
      endpoint.useCases.map(
        ({ call, file }) => `${file.slice('core/'.length).replace(/\.ts$/, '')}: ${call.split('.')[1]}`,
      ),
    ),
    listed(all.map(withoutSuffix)),
  ];
  return `| ${cells.join(' | ')} |`;
};

const grouped = <T>(
  all: readonly T[],
  keyOf: (one: T) => string,
): readonly (readonly [string, readonly T[]])[] => {
  const keys = [...new Set(all.map(keyOf))].toSorted();
  return keys.map((key) => [key, all.filter((one) => keyOf(one) === key)]);
};

const endpointTable = (endpoints: readonly Endpoint[]) => {
  const tests = testsOf(endpoints);
  // In the order of their use cases; endpoints without one are last.
  const placeOf = ({ useCases: [first] }: Endpoint) => (first === undefined ? '~' : folderOf(first.file));
  const rows = grouped(endpoints, placeOf).flatMap(([, own]) => own);
  return table(
    'Endpoint | Route | Use case | Tests',
    rows.map((endpoint) => endpointRow(endpoint, tests.get(endpoint) ?? [])),
  );
};

const settingTable = (settings: readonly MappedSetting[]) => {
  const lines = grouped(settings, ({ row }) => row).flatMap(([file, ofFile]) =>
    // One line for settings that are read together.
    grouped(ofFile, ({ members }) => listed(members)).map(([members, rows]) => {
      const names = listed(rows.map(({ name }) => name));
      const declared = code(file.replace(/^adapters\/config\/settings\//, ''));
      return `| ${names} | ${declared} | ${members} | ${listed(rows[0]?.readers ?? [])} |`;
    }),
  );
  return table('Setting | Declared in | In `Config` | Read in', lines);
};

const sectionLink = ({ number, title }: SpecificationSection) => {
  const heading = number.includes('.') ? `${number} ${title}` : `${number}. ${title}`;
  return `[${number} ${title}](interface.md#${anchor(heading)})`;
};

const endpointsOfSections = (sections: readonly SpecificationSection[]) =>
  sections.flatMap((section) =>
    grouped(section.endpoints, ({ route }) => route).map(
      ([route, own]) => `| ${sectionLink(section)} | ${code(route)} | ${listed(own.map(named))} |`,
    ),
  );

const citationsOfSections = (sections: readonly SpecificationSection[]) =>
  sections
    .filter(({ citedIn }) => citedIn.length > 0)
    .map((section) => `| ${sectionLink(section)} | ${listed(section.citedIn)} |`);

const extensions = (sections: readonly SpecificationSection[], endpoints: readonly Endpoint[]) => {
  const fixed = new Set(sections.flatMap((section) => section.endpoints));
  return endpoints.filter((endpoint) => !fixed.has(endpoint)).map(named);
};

/** The document with its generated part updated; the part written by hand is unchanged. */
export const withMap = async (document: string): Promise<string> => {
  const [head = ''] = document.split(MADE);
  const endpoints = await listEndpoints();
  const settings = await listSettings();
  const sections = listSections(read('docs/interface.md'), endpoints);
  const parts = [
    head.trimEnd(),
    MADE,
    '## From an endpoint to its tests',
    'Routes are below `servers/`, use cases below `core/`, each with the member of `Accounts`, `Files` or `Billing` that the route\ncalls. Tests are below `test/`, without `.test.ts`: those of the use case, then up to three over HTTP.',
    endpointTable(endpoints),
    '## From a setting to its readers',
    'Settings are declared below `adapters/config/settings/`, with default, checks and documentation.',
    settingTable(settings),
    '## From the interface specification to endpoints',
    table('Section | Route | Endpoints', endpointsOfSections(sections)),
    `The specification does not fix ${listed(extensions(sections, endpoints))}.`,
    'Comments cite these sections:',
    table('Section | Cited in', citationsOfSections(sections)),
  ];
  return `${parts.join('\n\n')}\n`;
};
