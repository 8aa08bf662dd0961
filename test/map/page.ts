import { testsOf } from './endpoint-tests.ts';
import { type Endpoint, listEndpoints } from './endpoints.ts';
import { listSections, type SpecificationSection } from './sections.ts';
import { listSettings, type MappedSetting } from './settings.ts';
import { filesIn, folderOf, read } from './sources.ts';

export const DOCUMENT = 'docs/map.md';

/** Everything below this line is made; everything above it is written by hand. */
const MADE = '<!-- Made by `npm run map` from here on. -->';

const NONE = '–';

const code = (text: string) => `\`${text}\``;
const listed = (texts: readonly string[]) => (texts.length === 0 ? NONE : texts.map(code).join(', '));
const table = (head: string, rows: readonly string[]) =>
  [`| ${head} |`, `|${head.replaceAll(/[^|]+/g, '---')}|`, ...rows].join('\n');

/** As forges make the anchor of a heading. */
const anchor = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');

const named = ({ method, path }: Endpoint) => `${method} ${path}`;
const linked = (endpoint: Endpoint) => `[${code(named(endpoint))}](api.md#${anchor(named(endpoint))})`;

const stem = (path: string) => path.slice(folderOf(path).length + 1).replace(/\.ts$/, '');

/** The suites of a use case that stand in its room of the tests and are named like it. */
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
    listed(endpoint.useCases.map(({ call, file }) => `${stem(file)}: ${call.split('.')[1]}`)),
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

const endpointTables = (endpoints: readonly Endpoint[]) => {
  const tests = testsOf(endpoints);
  const roomOf = ({ useCases: [first] }: Endpoint) =>
    first === undefined ? 'servers' : folderOf(first.file);
  return grouped(endpoints, roomOf).map(([room, rows]) => {
    const title = room === 'servers' ? 'Without a use case' : code(`${room}/`);
    const lines = rows.map((endpoint) => endpointRow(endpoint, tests.get(endpoint) ?? []));
    return `### ${title}\n\n${table('Endpoint | Route | Use case | Tests', lines)}`;
  });
};

const settingTables = (settings: readonly MappedSetting[]) =>
  grouped(settings, ({ row }) => row).map(([file, own]) => {
    // One line for the settings that are read together.
    const lines = grouped(own, ({ members }) => listed(members)).map(
      ([members, rows]) =>
        `| ${listed(rows.map(({ name }) => name))} | ${members} | ${listed(rows[0]?.readers ?? [])} |`,
    );
    return `### ${code(file)}\n\n${table('Setting | In `Config` | Read in', lines)}`;
  });

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

/** The document with the made part anew; what is written by hand stays. */
export const withMap = async (document: string): Promise<string> => {
  const [head = ''] = document.split(MADE);
  const endpoints = await listEndpoints();
  const settings = await listSettings();
  const sections = listSections(read('docs/interface.md'), endpoints);
  const parts = [
    head.trimEnd(),
    MADE,
    '## From an endpoint to its tests',
    'By the room of the use case. Routes are below `servers/`, use cases in the folder of the heading, each with the member of\n`Accounts`, `Files` or `Billing` that the route calls. Tests are below `test/`, without `.test.ts`: those of the use case,\nthen up to three over HTTP.',
    ...endpointTables(endpoints),
    '## From a setting to its readers',
    'By the file of the row, which has the default, the checks and the documentation.',
    ...settingTables(settings),
    '## From the interface specification to endpoints',
    table('Section | Route | Endpoints', endpointsOfSections(sections)),
    `The specification does not fix ${listed(extensions(sections, endpoints))}.`,
    'Comments cite these sections:',
    table('Section | Cited in', citationsOfSections(sections)),
  ];
  return `${parts.join('\n\n')}\n`;
};
