package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.fixture.SharedGateway;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Injects the writer of dead letters that test classes share, and the operator's calls to the gateway that they share. */
final class SharedDeadLetters implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == DeadLetterWriter.class || type == DeadLetterCalls.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        DeadLetterWriter writer = writer(context);
        return parameter.getParameter().getType() == DeadLetterWriter.class
                ? writer
                : new DeadLetterCalls(SharedGateway.of(context).admin(), writer);
    }

    private static DeadLetterWriter writer(ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(SharedDeadLetters.class))
                .computeIfAbsent(DeadLetterWriter.class, type -> new DeadLetterWriter(), DeadLetterWriter.class);
    }
}
