package io.vifplug;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.vifplug");
  private static final JavaClasses ALL = new ClassFileImporter().importPackages("io.vifplug");

  private static final List<String> FOREIGN =
      List.of(
          "com.google.",
          "com.fasterxml.",
          "io.github.resilience4j.",
          "org.libvirt.",
          "sun.",
          "com.sun.",
          "jdk.");

  @Test
  void theRulesLookAtSomething() {
    assertThat(MAIN.contain("io.vifplug.engine.Attempt")).isTrue();
    assertThat(ALL.contain("io.vifplug.ArchitectureTest")).isTrue();
  }

  @Test
  void noPublicSignatureHoldsATypeOfALibrary() {
    classes()
        .that()
        .resideOutsideOfPackages("io.vifplug.engine..", "io.vifplug.internal..")
        .and()
        .arePublic()
        .should(holdNoForeignTypeInTheirSignatures())
        .check(MAIN);
  }

  @Test
  void nothingOfTheEngineIsInAPublicSignature() {
    classes()
        .that()
        .resideOutsideOfPackage("io.vifplug.engine..")
        .and()
        .arePublic()
        .should(holdNo("engine types", List.of("io.vifplug.engine.")))
        .check(MAIN);
  }

  @Test
  void nothingIsSynchronized() {
    noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(MAIN);
  }

  @Test
  void nobodySleeps() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "it is Thread.sleep or TimeUnit.sleep",
                (JavaAccess<?> call) ->
                    call.getName().equals("sleep")
                        && (call.getTargetOwner().isEquivalentTo(Thread.class)
                            || call.getTargetOwner()
                                .isEquivalentTo(java.util.concurrent.TimeUnit.class))))
        .check(ALL);
  }

  @Test
  void onlyTheRealTimingReadsTheClock() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.vifplug.engine.RealTiming")
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "it reads a clock or uses a hidden timer",
                (JavaAccess<?> call) ->
                    readsAClock(call)
                        || call.getName().equals("orTimeout")
                        || call.getName().equals("completeOnTimeout")
                        || call.getName().equals("commonPool")))
        .check(MAIN);
  }

  private static boolean readsAClock(JavaAccess<?> call) {
    String owner = call.getTargetOwner().getFullName();
    return (owner.equals("java.lang.System")
            && (call.getName().equals("nanoTime") || call.getName().equals("currentTimeMillis")))
        || (owner.equals("java.time.Instant") && call.getName().equals("now"))
        || (owner.equals("java.time.Clock") && call.getName().startsWith("system"));
  }

  @Test
  void thePublicPackagesDoNotNeedTheEngineButForItsEntryPoint() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.vifplug.network..",
            "io.vifplug.event..",
            "io.vifplug.backend..",
            "io.vifplug.spi..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.vifplug.engine..")
        .check(MAIN);
  }

  @Test
  void thePlannerDoesNoInputOrOutput() {
    noClasses()
        .that()
        .haveSimpleNameStartingWith("Planner")
        .or()
        .haveSimpleNameStartingWith("Expectations")
        .or()
        .haveSimpleNameStartingWith("Refusals")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("io.vifplug.spi.Calls")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("io.vifplug.spi.Timing")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("io.vifplug.spi.Hypervisor")
        .check(MAIN);
  }

  private static ArchCondition<JavaClass> holdNoForeignTypeInTheirSignatures() {
    return holdNo("types of libraries", FOREIGN);
  }

  private static ArchCondition<JavaClass> holdNo(String what, List<String> prefixes) {
    return new ArchCondition<>("hold no " + what + " in public or protected signatures") {
      @Override
      public void check(JavaClass owner, ConditionEvents events) {
        Set<String> used = new LinkedHashSet<>();
        owner.getFields().stream()
            .filter(field -> isVisible(field.getModifiers()))
            .forEach(field -> collect(field.getType(), used));
        for (JavaCodeUnit unit : owner.getCodeUnits()) {
          if (isVisible(unit.getModifiers())) {
            unit.getParameterTypes().forEach(type -> collect(type, used));
            collect(unit.getReturnType(), used);
            unit.getExceptionTypes().forEach(type -> collect(type, used));
          }
        }
        owner.getSuperclass().ifPresent(type -> collect(type, used));
        owner.getInterfaces().forEach(type -> collect(type, used));
        for (String type : used) {
          if (prefixes.stream().anyMatch(type::startsWith)) {
            events.add(SimpleConditionEvent.violated(owner, owner.getName() + " shows " + type));
          }
        }
      }
    };
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static void collect(JavaType type, Set<String> names) {
    type.getAllInvolvedRawTypes().forEach(raw -> names.add(raw.getBaseComponentType().getName()));
  }
}
