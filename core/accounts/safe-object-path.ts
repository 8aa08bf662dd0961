const OWNER = /^[\w-]{1,64}$/;
const OBJECT = /^[\w-]{1,64}\/[\w-]{1,64}\.[a-z]{1,8}$/;

/** Whether the path is `<user id>/<name>`, which cannot lead out of a folder, a bucket or a query. */
export const isObjectPath = (path: unknown): path is string => typeof path === 'string' && OBJECT.test(path);

const notAnObjectPath = () => new TypeError('Not a path of an object.');

/** Returns the path of a stored object. Throws `TypeError` for any other text. */
export const objectPath = (path: string): string => {
  if (!isObjectPath(path)) throw notAnObjectPath();
  return path;
};

/** The folder of a user's objects. Throws `TypeError` for an invalid user id. */
export const objectFolder = (userId: string): string => {
  if (typeof userId !== 'string' || !OWNER.test(userId)) throw notAnObjectPath();
  return userId;
};
