/**
 * What the pages of both ports share: languages, templates, the frame of the consoles with its files, and {@link
 * dev.ligeiro.gateway.http.html.ApiCalls}, by which a page of a console calls the API.
 */
@NullMarked
package dev.ligeiro.gateway.http.html;

import org.jspecify.annotations.NullMarked;
