/** The samples of a text in the Prometheus format, by name and labels as written there. */
export type Samples = ReadonlyMap<string, number>;

export const readSamples = (text: string): Samples =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, name = '', value = ''] = /^(.*) (\S+)$/.exec(line) ?? [];
        return [name, Number(value)];
      }),
  );

export const scrape = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered with ${response.status}`);
  return response.text();
};

export const scrapeSamples = async (url: string): Promise<Samples> => readSamples(await scrape(url));

/** The sum of the samples with that name whose labels contain all of these texts. */
export const sumOf = (samples: Samples, name: string, ...labels: readonly string[]): number =>
  [...samples]
    .filter(([key]) => key.split('{', 1)[0] === name && labels.every((label) => key.includes(label)))
    .reduce((sum, [, value]) => sum + value, 0);
