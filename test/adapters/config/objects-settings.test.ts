import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('The settings of object storage', () => {
  const folder = useTempFolder();

  it('read bucket, region, endpoint and credentials from the usual AWS variables', () => {
    const parse = (settings: Readonly<Record<string, string>>) => readConfig(settings, folder()).objects;
    expect(parse({})).to.equal(null);
    expect(parse({ OBJECTS_URL: 's3://pictures' })).to.deep.equal({
      bucket: 'pictures',
      prefix: '',
      region: null,
      endpoint: null,
      credentials: null,
    });
    const settings = {
      OBJECTS_URL: 's3://pictures.example/a/b-c/',
      S3_ENDPOINT: 'http://minio:9000/',
      AWS_ACCESS_KEY_ID: 'AKID1',
      AWS_SECRET_ACCESS_KEY: 'word/1',
    };
    expect(parse(settings)).to.deep.equal({
      bucket: 'pictures.example',
      prefix: 'a/b-c',
      region: 'us-east-1',
      endpoint: 'http://minio:9000',
      credentials: { accessKeyId: 'AKID1', secretAccessKey: 'word/1', sessionToken: null },
    });
    expect(parse({ ...settings, AWS_DEFAULT_REGION: 'eu-west-1' })).to.include({ region: 'eu-west-1' });
    expect(parse({ ...settings, AWS_REGION: 'eu-west-1', S3_REGION: 'auto' })).to.include({ region: 'auto' });
    const common = { OBJECTS_URL: 's3://pictures', AWS_ENDPOINT_URL: 'http://all:1' };
    expect(parse(common)).to.include({ endpoint: 'http://all:1', region: 'us-east-1' });
    const { shown } = readConfig(settings, folder());
    expect(shown).to.include({ OBJECTS_URL: 's3://pictures.example/a/b-c', S3_REGION: 'us-east-1' });
    expect(JSON.stringify(shown)).to.not.match(/AKID1|word\/1/);
    expect(readConfig({}, folder()).shown).to.include({ OBJECTS_URL: 'with the store' });
    expect(readConfig({}, folder()).shown).to.not.have.any.keys('S3_REGION', 'AWS_REGION');
  });
});
