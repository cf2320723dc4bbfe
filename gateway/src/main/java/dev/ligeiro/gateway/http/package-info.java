/**
 * Reads request bodies, writes JSON responses and configures the HTTP server.
 */
@NullMarked
package dev.ligeiro.gateway.http;

import org.jspecify.annotations.NullMarked;
