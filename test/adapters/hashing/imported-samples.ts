/** The password of the hashes below. */
export const PASSWORD = 'hunter2 zażółć 🔑';

const SALT = 'AAECAwQFBgcICQoLDA0ODw';

/** Hashes made by other programs, in the format in which they are stored. */
export const IMPORTED_HASHES = {
  // bcryptjs 3.
  bcrypt: '$2b$05$yoC8YrWaqhYH27/nd6qvVeGna4bY.JfS412uoXBufGegqouZHU5tu',
  // libxcrypt, by Python's crypt.
  bcryptC: '$2b$05$abcdefghijklmnopqrstuuh8ds8PImcEI4zpLwlRZFyLBoo59WqT.',
  // argon2-cffi, which is the reference implementation; the last one with the parameters of Keycloak 25.
  argon2id: `$argon2id$v=19$m=256,t=2,p=2$${SALT}$unGPHPJjWNEoO0sAOC7v64FxKIcDOC2vPmvLLfHeBmg`,
  argon2i: `$argon2i$v=19$m=256,t=2,p=2$${SALT}$oy0Lr1KlzMXTUSKSJle5XY9qoftRndscLqs5G12e4eM`,
  argon2d: `$argon2d$v=19$m=256,t=2,p=2$${SALT}$lGW8lzgvxrf715Z855UIvxx4PXlKe+c4E/YsX/kS888`,
  keycloak: `$argon2id$v=19$m=7168,t=5,p=1$${SALT}$FyCBzdNepwUToIisDnAFgK/Ek1V31rtVd+rDE/ndOcE`,
  // Python's hashlib.
  pbkdf2Sha1: `$pbkdf2-sha1$i=1000$${SALT}$SJR6zFtPniI5eUDWBB0YxIsF80uzwlFpHNKI48RRzFbG9AX9ON6rgdZRZjX0XzUukUpUxMqvR92UClu6gqUcDg`,
  pbkdf2Sha256: `$pbkdf2-sha256$i=1000$${SALT}$/z6j0Zj3whsobWbQ8ugkJEG2ZzzGCoSU+Utd/vtJ6gYR2RKxnfpg3Zwlz1k+lr5dklLt0N+sAQ+GKs3aXT9kVA`,
  pbkdf2Sha512: `$pbkdf2-sha512$i=1000$${SALT}$Sw9/vmnqA9WfXBH0bNd5eC5Gcy76K0lEY18nqA7FeqGaTBQkb+eX9BYlRxuE/0IBYYEr8efaevMsERVyrQ/4Jg`,
  // firebase-scrypt of npm, its hash XOR the signer key of Firebase's own example.
  firebase:
    '$firebase-scrypt$ln=14,r=8,p=1$TKdhnTq2CkKOmgc$gRIgNOT3WllvZIidORz6HV/IiRUZegGozt5cZy31V9J2awQTR6Xs84J7W80svl4XPf/6kRpD/c57YkHIGKn9wQ',
} as const;
