// Loaded with import() when a registry is asked: the HTTP client is large, and whoever imports this package may never need it. A module of ours in between,
// because a bundler answers import() of a CommonJS package without its names.
export { Agent, EnvHttpProxyAgent, request } from 'undici'
