/**
 * The routes of both ports: authentication, scope, {@code Accept}, body, time limit, 404 and 405. Features declare their routes as
 * {@link dev.ligeiro.gateway.api.Route}s.
 */
@NullMarked
package dev.ligeiro.gateway.api;

import org.jspecify.annotations.NullMarked;
