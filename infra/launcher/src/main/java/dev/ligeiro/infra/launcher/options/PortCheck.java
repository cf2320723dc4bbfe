package dev.ligeiro.infra.launcher.options;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** Checks before a start that its ports are free. */
public final class PortCheck {

    private PortCheck() {}

    public static void requireFree(Options options) {
        requireFree(options, Ports::isFree);
    }

    /** @throws CannotStartException naming the port and the option that changes it */
    static void requireFree(Options options, IntPredicate free) {
        for (Map.Entry<String, List<Integer>> option : options.ports().entrySet()) {
            if (!isNeeded(option.getKey(), options)) {
                continue;
            }
            for (int port : option.getValue()) {
                if (!free.test(port)) {
                    throw new CannotStartException(
                            "port %d is taken by another process: free it, or choose another with %s"
                                    .formatted(port, option.getKey()));
                }
            }
        }
    }

    private static boolean isNeeded(String option, Options options) {
        return switch (option) {
            case "--kafka-port" -> options.kafkaBootstrapServers().isEmpty();
            case "--mongodb-port" -> options.mongodbUri().isEmpty();
            default -> true;
        };
    }
}
