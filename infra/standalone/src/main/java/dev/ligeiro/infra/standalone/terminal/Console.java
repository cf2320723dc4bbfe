package dev.ligeiro.infra.standalone.terminal;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** Prints to the terminal. */
public final class Console {

    private Console() {}

    public static void say(String text) {
        System.out.println(text);
    }

    /** An event that nobody asked for, with the time of day. */
    public static void report(String event) {
        System.out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + event);
    }
}
