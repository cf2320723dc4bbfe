package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.match.Span;

/**
 * Where a row of a list is: after the {@code skip} newest matches of the span. It and all older rows of the list are in the span.
 */
public record Place(Span span, long skip) {}
