// Loaded with import() by those who need it: the HTTP client is large. A module of ours in between, because a bundler answers
// import() of a CommonJS package without its names.
export { Agent } from 'undici'
