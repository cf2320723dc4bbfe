package dev.ligeiro.support.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** The console lines of a service that imports {@code service-logging.yml}. */
@ExtendWith(OutputCaptureExtension.class)
class ServiceLoggingTest {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceLoggingTest.class);

    @AfterEach
    void resetTheLoggingOfTheJvm() {
        LoggingSystem.get(getClass().getClassLoader()).cleanUp();
    }

    @Test
    void aPlainLineShowsThePairs(CapturedOutput output) {
        logALineInAService();

        assertThat(lineIn(output))
                .contains("A batch failed and is tried again")
                .contains("attempt=\"3\"")
                .contains("event.action=\"batch_failed\"");
    }

    @Test
    void anEcsLineHasThePairsAsFields(CapturedOutput output) {
        logALineInAService("--logging.structured.format.console=ecs");

        assertThat(lineIn(output))
                .startsWith("{")
                .contains("\"message\":\"A batch failed and is tried again\"")
                .contains("\"event\":{\"action\":\"batch_failed\"}")
                .contains("\"attempt\":3");
    }

    private static void logALineInAService(String... arguments) {
        SpringApplication service = new SpringApplicationBuilder(Service.class)
                .web(WebApplicationType.NONE)
                .properties("spring.config.import=classpath:service-logging.yml", "spring.main.banner-mode=off")
                .build();
        service.run(arguments).close();
        LOG.atWarn()
                .addKeyValue("event.action", "batch_failed")
                .addKeyValue("attempt", 3)
                .log("A batch failed and is tried again");
    }

    private static String lineIn(CapturedOutput output) {
        List<String> lines = output.getOut()
                .lines()
                .filter(line -> line.contains("batch_failed"))
                .toList();
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }

    @Configuration(proxyBeanMethods = false)
    static class Service {}
}
