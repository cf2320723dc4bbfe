package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.NoMongodException;
import dev.ligeiro.infra.brokers.PortTakenException;
import dev.ligeiro.infra.client.ApiException;

/**
 * Ends the launcher, and the system before it. The exit code is 0 after Ctrl-C and SIGTERM, which are the usual ways to stop the
 * launcher (a JVM's own exit code would be 130 or 143), and 1 after a failed start.
 */
final class Shutdown {

    private volatile boolean begun;
    private volatile int exitCode;

    /**
     * Stops the system when this JVM is told to end.
     *
     * @throws CannotStartException when the JVM is ending already: then nothing may be started
     */
    void stopOnExit(Supervisor supervisor) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(supervisor), "stop"));
        } catch (IllegalStateException shutdownHasBegun) {
            begun = true;
            throw new CannotStartException("stopped", shutdownHasBegun);
        }
    }

    private void stop(Supervisor supervisor) {
        begun = true;
        Console.printEvent("stopping ...");
        supervisor.stop();
        Console.printEvent("stopped");
        Runtime.getRuntime().halt(exitCode);
    }

    /** Prints the reason and ends the JVM. Does nothing during a stop: the stop itself makes a start fail. */
    void fail(RuntimeException reason) {
        if (begun) {
            return;
        }
        exitCode = 1;
        if (isForTheUser(reason)) {
            System.err.println("ligeiro: " + reason.getMessage());
        } else {
            reason.printStackTrace();
        }
        System.exit(exitCode);
    }

    private static boolean isForTheUser(RuntimeException reason) {
        return reason instanceof CannotStartException
                || reason instanceof ApiException
                || reason instanceof PortTakenException
                || reason instanceof NoMongodException;
    }
}
