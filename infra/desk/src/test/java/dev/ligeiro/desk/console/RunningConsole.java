package dev.ligeiro.desk.console;

import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.testing.time.TestClock;
import java.time.Clock;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The merchants' console on a free port, with a played gateway behind it. */
final class RunningConsole implements AutoCloseable {

    static final String[] ALL_SCOPES = {
        "transactions:read", "transactions:write", "cashouts:approve", "statement:read", "webhooks:manage"
    };

    private static final String ENTER = "POST /api/v1/console-sessions/enter";

    private final TestClock clock = TestClock.ticking();
    private final ConfigurableApplicationContext context;
    private PlayedGateway gateway = new PlayedGateway(0);

    RunningConsole() {
        context = new SpringApplicationBuilder(MerchantConsoleApplication.class)
                .properties("spring.config.name=merchant-console")
                .registerShutdownHook(false)
                .initializers((GenericApplicationContext beans) ->
                        beans.registerBean("testClock", Clock.class, () -> clock, bean -> bean.setPrimary(true)))
                .run("--server.port=0", "--ligeiro.gateway-url=http://127.0.0.1:" + gateway.port());
    }

    PlayedGateway gateway() {
        return gateway;
    }

    TestClock clock() {
        return clock;
    }

    String url() {
        return "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
    }

    Visitor visitor() {
        return new Visitor(url()).following();
    }

    /** Somebody who has entered with all scopes, in English. */
    Visitor signedIn() {
        return signedIn("test", ALL_SCOPES);
    }

    Visitor signedIn(String mode, String... scopes) {
        nextSession(mode, scopes);
        Visitor visitor = visitor();
        visitor.get("/console/enter/code-of-the-link").expect(200);
        visitor.submit("/console/enter/code-of-the-link", Map.of()).expect(200);
        return visitor;
    }

    /** Those who enter from now on may do this. */
    void nextSession(String mode, String... scopes) {
        Map<String, Object> opened = gateway.example(ENTER);
        opened.put("mode", mode);
        opened.put("scopes", scopes);
        gateway.reply(ENTER, 200, opened);
    }

    void stopGateway() {
        gateway.close();
    }

    void startGateway() {
        gateway = new PlayedGateway(gateway.port());
    }

    @Override
    public void close() {
        context.close();
        gateway.close();
    }
}
