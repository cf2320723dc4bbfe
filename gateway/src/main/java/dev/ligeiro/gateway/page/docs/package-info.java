/**
 * The API's description (OpenAPI 3.1) and its documentation. Called over HTTP by everyone; calls nothing.
 */
@NullMarked
package dev.ligeiro.gateway.page.docs;

import org.jspecify.annotations.NullMarked;
