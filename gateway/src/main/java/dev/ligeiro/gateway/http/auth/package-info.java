/**
 * API keys: authenticates the callers of the public port. The controllers of all features call in; reads MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.http.auth;

import org.jspecify.annotations.NullMarked;
