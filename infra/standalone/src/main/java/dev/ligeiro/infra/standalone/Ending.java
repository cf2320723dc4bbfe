package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.NoMongodException;
import dev.ligeiro.infra.brokers.PortTakenException;

/** How this JVM ends: by a signal or a failed start, everything is stopped before it is gone. Exit code 0 or 1. */
final class Ending {

    private volatile boolean begun;
    private volatile int exitCode;

    /** Ctrl-C and SIGTERM are an order that is carried out, not a failure: the exit code is 0, not 143. */
    void stopOnExit(Fleet fleet) {
        Thread hook = new Thread(
                () -> {
                    begun = true;
                    Console.report("stopping ...");
                    fleet.stop();
                    Console.report("stopped");
                    Runtime.getRuntime().halt(exitCode);
                },
                "stop");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Says why and ends; a fault that follows from being stopped says nothing. */
    void fail(RuntimeException reason) {
        if (begun) {
            return;
        }
        exitCode = 1;
        if (isForPeople(reason)) {
            System.err.println("ligeiro: " + reason.getMessage());
        } else {
            reason.printStackTrace();
        }
        System.exit(exitCode);
    }

    private static boolean isForPeople(RuntimeException reason) {
        return reason instanceof CannotStartException
                || reason instanceof PortTakenException
                || reason instanceof NoMongodException;
    }
}
