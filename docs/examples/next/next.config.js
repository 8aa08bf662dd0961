export default { serverExternalPackages: ['gatehouse'] };
