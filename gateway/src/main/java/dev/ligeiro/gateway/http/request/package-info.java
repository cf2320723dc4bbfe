/**
 * Reads and checks what a request contains: its JSON body field by field, and its query parameters. All errors of a request are collected
 * into one problem. Controllers and parsers call in.
 */
@NullMarked
package dev.ligeiro.gateway.http.request;

import org.jspecify.annotations.NullMarked;
