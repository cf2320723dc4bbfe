package dev.ligeiro.support;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A setting with keys is missing or malformed: the service does not start, and the operator reads what to set. */
final class InvalidKeys extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * @param invalid its message has no part of a key
     * @param action what the operator does
     */
    InvalidKeys(IllegalArgumentException invalid, String action) {
        super(invalid.getMessage(), invalid);
        this.action = action;
    }

    /** Prints the instruction instead of a stack trace. Spring Boot finds it by {@code META-INF/spring.factories}. */
    static final class Instruction extends AbstractFailureAnalyzer<InvalidKeys> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, InvalidKeys cause) {
            return new FailureAnalysis(cause.getMessage(), cause.action, cause);
        }
    }
}
