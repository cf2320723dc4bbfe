/**
 * The routes: authentication, scope, {@code Accept}, body, time limit, 404 and 405. Features declare their routes as
 * {@link dev.ligeiro.gateway.http.Route}s.
 */
@NullMarked
package dev.ligeiro.gateway.http;

import org.jspecify.annotations.NullMarked;
