package dev.ligeiro.dispatcher;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@AnalyzeClasses(packages = "dev.ligeiro.dispatcher", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES = slices().matching("dev.ligeiro.dispatcher.(*)..")
            .should()
            .beFreeOfCycles()
            .because("the way of an event is one package a step, left to right");

    @ArchTest
    static final ArchRule MONGODB_IS_BEHIND_STORES = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Store")
            .and()
            .haveSimpleNameNotEndingWith("Configuration")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.mongodb..")
            .because("a store is where one looks for what a query costs");

    @ArchTest
    static final ArchRule KAFKA_IS_IN_INTAKE = noClasses()
            .that()
            .resideOutsideOfPackage("..intake..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.apache.kafka..", "org.springframework.kafka.."))
            .because("attempts and retries must not care where an event came from");

    @ArchTest
    static final ArchRule THE_CLIENT_IS_IN_HTTP = noClasses()
            .that()
            .resideOutsideOfPackage("..http..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.apache.hc..", "java.net.http.."))
            .because("whoever posts elsewhere posts around the address rules");

    @ArchTest
    static final ArchRule ONLY_LISTENERS_BLOCK = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Listener")
            .should()
            .callMethod(Mono.class, "block")
            .orShould()
            .callMethod(Mono.class, "block", Duration.class)
            .orShould()
            .callMethod(Flux.class, "blockLast")
            .because("a blocked event loop stops every merchant");

    @ArchTest
    static final ArchRule TIME_COMES_FROM_THE_CLOCK = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Clock.class, "systemDefaultZone")
            .because("tests move the clock");
}
