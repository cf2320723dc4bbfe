package dev.ligeiro.desk.console;

import dev.ligeiro.desk.http.ReadableParameters;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The merchants' console: a client of the gateway's public API, with nothing else behind it. */
@SpringBootApplication(
        excludeName = {
            "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
            "org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration",
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration"
        })
@Import(ReadableParameters.class)
public class MerchantConsoleApplication implements WebMvcConfigurer {

    @Bean
    Clock clock() {
        return Clock.system(ZoneOffset.UTC);
    }

    /** Paths name actions in lower case. */
    @Override
    public void addFormatters(FormatterRegistry registry) {
        ApplicationConversionService.addApplicationConverters(registry);
    }

    /** Starts it with the settings of {@code merchant-console.yml}. {@code SERVER_PORT} is the operators' port, also in the environment. */
    public static void run(String... args) {
        new SpringApplicationBuilder(MerchantConsoleApplication.class)
                .properties("spring.config.name=merchant-console")
                .run(Stream.concat(Stream.of(args), Stream.of("--server.port=${ligeiro.console.port}"))
                        .toArray(String[]::new));
    }
}
