package dev.ligeiro.infra.launcher.options;

import dev.ligeiro.infra.launcher.terminal.CannotStartException;

/** Checks that this is Linux on x86-64, for which the launcher's mongod is built. */
public final class Platform {

    private Platform() {}

    /**
     * @param name the JVM's property {@code os.name}
     * @param architecture the JVM's property {@code os.arch}
     * @throws CannotStartException on another platform
     */
    public static void require(String name, String architecture) {
        if (!name.equals("Linux") || !architecture.equals("amd64")) {
            throw new CannotStartException(
                    "this is %s %s (expected: Linux on x86-64, with a JDK for it)".formatted(name, architecture));
        }
    }
}
