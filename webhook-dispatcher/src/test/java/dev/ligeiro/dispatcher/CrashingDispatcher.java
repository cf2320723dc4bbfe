package dev.ligeiro.dispatcher;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import dev.ligeiro.infra.brokers.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.support.GenericApplicationContext;

/** The service as a process of its own, with the test's class path: the test kills it, or it ends itself without any clean-up. */
public final class CrashingDispatcher {

    /** The exit code after a crash by {@link #CRASH_AFTER_INSERT}. */
    public static final int CRASHED = 86;

    /** Ends the process when MongoDB has acknowledged the first deliveries, before their offsets are committed. */
    static final String CRASH_AFTER_INSERT = "--crash-after-insert";

    private CrashingDispatcher() {}

    /** Starts the process; its output goes to {@code log}. */
    static ChildProcess start(Path log, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // as under infra/run
                "-Xmx128m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingDispatcher.class.getName()));
        command.addAll(Arrays.asList(arguments));
        return ChildProcess.spawn("crashing-dispatcher", command, Map.of(), log);
    }

    /** In the process itself. */
    public static void main(String... arguments) {
        boolean crash = Arrays.asList(arguments).contains(CRASH_AFTER_INSERT);
        new SpringApplicationBuilder(WebhookDispatcherApplication.class)
                .web(WebApplicationType.NONE)
                .initializers((GenericApplicationContext context) -> {
                    if (crash) {
                        context.registerBean(
                                "crashAfterInsert",
                                MongoClientSettingsBuilderCustomizer.class,
                                () -> settings -> settings.addCommandListener(new CrashAfterInsert()));
                    }
                })
                .run(arguments);
    }

    /** The dispatcher inserts nothing but deliveries. */
    private static final class CrashAfterInsert implements CommandListener {

        @Override
        public void commandSucceeded(CommandSucceededEvent event) {
            if (event.getCommandName().equals("insert")) {
                Runtime.getRuntime().halt(CRASHED);
            }
        }
    }
}
