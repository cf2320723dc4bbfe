package dev.ligeiro.testing.trace;

/**
 * A span of an OTLP request.
 *
 * @param traceId in hex
 * @param spanId in hex
 * @param parentSpanId in hex; empty for the first span of a trace
 */
public record ReceivedSpan(String traceId, String spanId, String parentSpanId, String name) {}
