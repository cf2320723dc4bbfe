package dev.ligeiro.desk.console;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The merchants' console: a client of the gateway's public API, with nothing else behind it. */
@SpringBootApplication(
        excludeName = {
            "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
            "org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration",
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration"
        })
public class MerchantConsoleApplication {

    /** Starts it with the settings of {@code merchant-console.yml}. */
    public static void run(String... args) {
        new SpringApplicationBuilder(MerchantConsoleApplication.class)
                .properties("spring.config.name=merchant-console")
                .run(args);
    }
}
