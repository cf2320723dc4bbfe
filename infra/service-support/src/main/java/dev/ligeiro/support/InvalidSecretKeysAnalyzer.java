package dev.ligeiro.support;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells the operator what to set, instead of a stack trace. Spring Boot finds it by {@code META-INF/spring.factories}. */
final class InvalidSecretKeysAnalyzer extends AbstractFailureAnalyzer<InvalidSecretKeysException> {

    private static final String ACTION =
            "Set LIGEIRO_WEBHOOK_SECRET_KEYS to k1:$(openssl rand -base64 32), the same value for the"
                    + " gateway and the webhook-dispatcher, and keep it: without it stored webhook secrets cannot be read.";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSecretKeysException cause) {
        return new FailureAnalysis(cause.getMessage(), ACTION, cause);
    }
}
