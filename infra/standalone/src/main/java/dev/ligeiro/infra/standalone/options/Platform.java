package dev.ligeiro.infra.standalone.options;

import dev.ligeiro.infra.standalone.terminal.CannotStartException;

/** The one platform that the launcher runs on, since its mongod is built for it. */
public final class Platform {

    private Platform() {}

    /**
     * @param name of the operating system, as the JVM has it
     * @param architecture of the JVM
     * @throws CannotStartException on another one than Linux on x86-64
     */
    public static void require(String name, String architecture) {
        if (!name.equals("Linux") || !architecture.equals("amd64")) {
            throw new CannotStartException(
                    "this is %s %s (expected: Linux on x86-64, with a JDK for it)".formatted(name, architecture));
        }
    }
}
