package dev.ligeiro.infra.standalone.supervise;

import dev.ligeiro.infra.brokers.NoMongodException;
import dev.ligeiro.infra.brokers.PortTakenException;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.standalone.terminal.CannotStartException;
import dev.ligeiro.infra.standalone.terminal.Console;

/**
 * The end of this JVM, by a signal or a failed start: the fleet is stopped before. The exit code is 1 after a failure and 0 after
 * Ctrl-C or SIGTERM (not 143), which are orders.
 */
public final class Ending {

    private volatile boolean begun;
    private volatile int exitCode;

    /** @throws CannotStartException when the end has begun, so that nothing may be started */
    public void stopOnExit(Fleet fleet) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(fleet), "stop"));
        } catch (IllegalStateException shutdownHasBegun) {
            begun = true;
            throw new CannotStartException("stopped", shutdownHasBegun);
        }
    }

    private void stop(Fleet fleet) {
        begun = true;
        Console.report("stopping ...");
        fleet.stop();
        Console.report("stopped");
        Runtime.getRuntime().halt(exitCode);
    }

    /** Prints the reason and ends the JVM. A failure after the beginning of the end follows from it and is not printed. */
    public void fail(RuntimeException reason) {
        if (begun) {
            return;
        }
        exitCode = 1;
        if (saysWhatToDo(reason)) {
            System.err.println("ligeiro: " + reason.getMessage());
        } else {
            reason.printStackTrace();
        }
        System.exit(exitCode);
    }

    private static boolean saysWhatToDo(RuntimeException reason) {
        return reason instanceof CannotStartException
                || reason instanceof ApiException
                || reason instanceof PortTakenException
                || reason instanceof NoMongodException;
    }
}
