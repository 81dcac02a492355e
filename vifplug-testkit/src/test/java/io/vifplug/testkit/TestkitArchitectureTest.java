package io.vifplug.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of the core, for the testkit and its tests. */
class TestkitArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.vifplug.testkit");
  private static final JavaClasses ALL =
      new ClassFileImporter().importPackages("io.vifplug.testkit", "io.vifplug.implementer");
  private static final List<String> FOREIGN =
      List.of(
          "com.google.", "com.fasterxml.", "io.github.resilience4j.", "sun.", "com.sun.", "jdk.");

  @Test
  void theRulesLookAtSomething() {
    assertThat(MAIN.contain(VirtualTime.class)).isTrue();
    assertThat(ALL.contain(TestkitArchitectureTest.class)).isTrue();
  }

  @Test
  void noPublicSignatureHoldsATypeOfALibrary() {
    classes().that().arePublic().should(holdNoForeignTypes()).check(MAIN);
  }

  @Test
  void nobodySleeps() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "it sleeps", (JavaAccess<?> call) -> call.getName().equals("sleep")))
        .check(ALL);
  }

  @Test
  void nothingIsSynchronized() {
    noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(MAIN);
  }

  private static ArchCondition<JavaClass> holdNoForeignTypes() {
    return new ArchCondition<>("hold no types of libraries in public or protected signatures") {
      @Override
      public void check(JavaClass owner, ConditionEvents events) {
        visibleTypes(owner)
            .flatMap(type -> type.getAllInvolvedRawTypes().stream())
            .map(raw -> raw.getBaseComponentType().getName())
            .filter(name -> FOREIGN.stream().anyMatch(name::startsWith))
            .distinct()
            .forEach(
                name ->
                    events.add(
                        SimpleConditionEvent.violated(owner, owner.getName() + " shows " + name)));
      }
    };
  }

  private static Stream<JavaType> visibleTypes(JavaClass owner) {
    Stream<JavaType> fields =
        owner.getFields().stream()
            .filter(field -> isVisible(field.getModifiers()))
            .map(field -> field.getType());
    Stream<JavaType> signatures =
        owner.getCodeUnits().stream()
            .filter(unit -> isVisible(unit.getModifiers()))
            .flatMap(
                unit ->
                    Stream.concat(
                        unit.getParameterTypes().stream(), Stream.of(unit.getReturnType())));
    Stream<JavaType> supertypes =
        Stream.concat(owner.getSuperclass().stream(), owner.getInterfaces().stream());
    return Stream.of(fields, signatures, supertypes).flatMap(types -> types);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }
}
