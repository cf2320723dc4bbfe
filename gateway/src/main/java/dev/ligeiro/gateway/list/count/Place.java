package dev.ligeiro.gateway.list.count;

import dev.ligeiro.gateway.list.match.Span;

/**
 * Where a row of a list is: after the {@code skip} newest matches of the span. It and all older rows of the list are in the span.
 */
public record Place(Span span, long skip) {}
