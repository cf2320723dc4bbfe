package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.NoMongodException;
import dev.ligeiro.infra.brokers.PortTakenException;
import dev.ligeiro.infra.client.ApiException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How this JVM ends: by a signal or a failed start, everything is stopped before it is gone. Exit code 0 or 1. */
final class Ending {

    private @Nullable Fleet running;
    private boolean begun;
    private volatile int exitCode;

    /**
     * From now on this fleet, and no other one, is stopped at the end. Ctrl-C and SIGTERM are an order that is carried out, not a
     * failure: the exit code is 0, not 143.
     *
     * @throws CannotStartException when the end has begun, and nothing may be started any more
     */
    synchronized void stopOnExit(Fleet fleet) {
        requireNotBegun();
        if (running == null) {
            registerShutdownHook();
        }
        running = fleet;
    }

    private void registerShutdownHook() {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
        } catch (IllegalStateException alreadyAsked) {
            begun = true;
            throw new CannotStartException("stopped", alreadyAsked);
        }
    }

    private void stop() {
        Fleet last = begin();
        Console.report("stopping ...");
        last.stop();
        Console.report("stopped");
        Runtime.getRuntime().halt(exitCode);
    }

    private synchronized Fleet begin() {
        begun = true;
        return Objects.requireNonNull(running);
    }

    /** @throws CannotStartException when it has begun, and nothing is worth doing any more */
    void requireNotBegun() {
        if (hasBegun()) {
            throw new CannotStartException("stopped");
        }
    }

    private synchronized boolean hasBegun() {
        return begun;
    }

    /** Says why and ends; a fault that follows from being stopped says nothing. */
    void fail(RuntimeException reason) {
        if (hasBegun()) {
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
                || reason instanceof ApiException
                || reason instanceof PortTakenException
                || reason instanceof NoMongodException;
    }
}
